/*
 * Hides instruction sets from the one process it is loaded into (LD_PRELOAD): CPUID faults there (arch_prctl, ARCH_SET_CPUID)
 * and is answered here, without AVX-512 and AMX. BENCH_PROCESSOR=avx2 hides AVX-VNNI as well. Bits: Intel SDM, CPUID, leaf 7.
 */
#define _GNU_SOURCE
#include <asm/prctl.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#ifndef ARCH_SET_CPUID
#define ARCH_SET_CPUID 0x1012
#endif

static int keep_vnni;
/* What the program set, which would otherwise take our place. */
static struct sigaction chained;
static int (*real_sigaction)(int, const struct sigaction *, struct sigaction *);

static void cpuid(unsigned r[4]) {
  syscall(SYS_arch_prctl, ARCH_SET_CPUID, 1);
  __asm__ volatile("cpuid" : "+a"(r[0]), "=b"(r[1]), "+c"(r[2]), "=d"(r[3]));
  syscall(SYS_arch_prctl, ARCH_SET_CPUID, 0);
}

static void answer(int signal, siginfo_t *info, void *context) {
  greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;
  const unsigned char *at = (const unsigned char *)regs[REG_RIP];
  if (info->si_code == SI_KERNEL && at[0] == 0x0f && at[1] == 0xa2) {
    unsigned leaf = regs[REG_RAX], sub = regs[REG_RCX], r[4] = {leaf, 0, sub, 0};
    cpuid(r);
    if (leaf == 7 && sub == 0) {
      r[1] &= ~(1u << 16 | 1u << 17 | 1u << 21 | 1u << 28 | 1u << 30 | 1u << 31);
      r[2] &= ~(1u << 1 | 1u << 6 | 1u << 11 | 1u << 12 | 1u << 14);
      r[3] &= ~(1u << 8 | 1u << 22 | 1u << 23 | 1u << 24 | 1u << 25);
    }
    if (leaf == 7 && sub == 1) r[0] &= ~(1u << 5 | 1u << 21 | (keep_vnni ? 0 : 1u << 4));
    regs[REG_RAX] = r[0]; regs[REG_RBX] = r[1]; regs[REG_RCX] = r[2]; regs[REG_RDX] = r[3];
    regs[REG_RIP] += 2;
    return;
  }
  if (chained.sa_flags & SA_SIGINFO && chained.sa_sigaction) return chained.sa_sigaction(signal, info, context);
  struct sigaction none = {.sa_handler = SIG_DFL};
  real_sigaction(SIGSEGV, &none, 0);
}

int sigaction(int signal, const struct sigaction *new, struct sigaction *old) {
  if (!real_sigaction) real_sigaction = dlsym(RTLD_NEXT, "sigaction");
  if (signal != SIGSEGV) return real_sigaction(signal, new, old);
  if (old) *old = chained;
  if (new) chained = *new;
  return 0;
}

sighandler_t signal(int number, sighandler_t handler) {
  struct sigaction old, new = {.sa_handler = handler, .sa_flags = SA_RESTART};
  return sigaction(number, &new, &old) ? SIG_ERR : old.sa_handler;
}

__attribute__((constructor)) static void start(void) {
  const char *level = getenv("BENCH_PROCESSOR");
  if (!level) return;
  keep_vnni = !strcmp(level, "avx_vnni");
  real_sigaction = dlsym(RTLD_NEXT, "sigaction");
  struct sigaction ours = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  real_sigaction(SIGSEGV, &ours, 0);
  /* A processor that cannot would show all it has: better no figure than a wrong one. */
  if (syscall(SYS_arch_prctl, ARCH_SET_CPUID, 0)) _exit(126);
}
