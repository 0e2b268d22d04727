/** Numbers of the system calls that a host is refused, by architecture (the kernel's unistd.h; from 424 on all agree). */

/** Refused with EPERM. What a host never needs; a library that only tries lives on. */
const refusedByX64: Record<string, number> = {
  // Sockets. The channel to the server is open already; nothing can be made beside it.
  socket: 41,
  connect: 42,
  accept: 43,
  bind: 49,
  listen: 50,
  accept4: 288,
  // Processes: none is started, looked into or signalled.
  fork: 57,
  vfork: 58,
  ptrace: 101,
  tkill: 200,
  rt_sigqueueinfo: 129,
  rt_tgsigqueueinfo: 297,
  process_vm_readv: 310,
  process_vm_writev: 311,
  kcmp: 312,
  personality: 135,
  perf_event_open: 298,
  // Files by what Landlock does not rule: modes, owners, times, attributes, handles, watches.
  chmod: 90,
  fchmod: 91,
  fchmodat: 268,
  chown: 92,
  fchown: 93,
  lchown: 94,
  fchownat: 260,
  utime: 132,
  utimes: 235,
  futimesat: 261,
  utimensat: 280,
  setxattr: 188,
  lsetxattr: 189,
  fsetxattr: 190,
  removexattr: 197,
  lremovexattr: 198,
  fremovexattr: 199,
  mknod: 133,
  mknodat: 259,
  name_to_handle_at: 303,
  open_by_handle_at: 304,
  inotify_init: 253,
  inotify_init1: 294,
  fanotify_init: 300,
  // Memory and messages shared with other processes.
  shmget: 29,
  shmat: 30,
  shmctl: 31,
  semget: 64,
  msgget: 68,
  mq_open: 240,
  // The system: namespaces, mounts, keys, modules, clocks.
  unshare: 272,
  setns: 308,
  mount: 165,
  umount2: 166,
  pivot_root: 155,
  chroot: 161,
  bpf: 321,
  userfaultfd: 323,
  add_key: 248,
  request_key: 249,
  keyctl: 250,
  init_module: 175,
  finit_module: 313,
  delete_module: 176,
  kexec_load: 246,
  kexec_file_load: 320,
  reboot: 169,
  swapon: 167,
  swapoff: 168,
  acct: 163,
  quotactl: 179,
  sethostname: 170,
  setdomainname: 171,
  adjtimex: 159,
  settimeofday: 164,
  clock_settime: 227,
  clock_adjtime: 305,
  iopl: 172,
  ioperm: 173,
  modify_ldt: 154,
};

const refusedByArm64: Record<string, number> = {
  socket: 198,
  connect: 203,
  accept: 202,
  bind: 200,
  listen: 201,
  accept4: 242,
  ptrace: 117,
  tkill: 130,
  rt_sigqueueinfo: 138,
  rt_tgsigqueueinfo: 240,
  process_vm_readv: 270,
  process_vm_writev: 271,
  kcmp: 272,
  personality: 92,
  perf_event_open: 241,
  fchmod: 52,
  fchmodat: 53,
  fchown: 55,
  fchownat: 54,
  utimensat: 88,
  setxattr: 5,
  lsetxattr: 6,
  fsetxattr: 7,
  removexattr: 14,
  lremovexattr: 15,
  fremovexattr: 16,
  mknodat: 33,
  name_to_handle_at: 264,
  open_by_handle_at: 265,
  inotify_init1: 26,
  fanotify_init: 262,
  shmget: 194,
  shmat: 196,
  shmctl: 195,
  semget: 190,
  msgget: 186,
  mq_open: 180,
  unshare: 97,
  setns: 268,
  mount: 40,
  umount2: 39,
  pivot_root: 41,
  chroot: 51,
  bpf: 280,
  userfaultfd: 282,
  add_key: 217,
  request_key: 218,
  keyctl: 219,
  init_module: 105,
  finit_module: 273,
  delete_module: 106,
  kexec_load: 104,
  kexec_file_load: 294,
  reboot: 142,
  swapon: 224,
  swapoff: 225,
  acct: 89,
  quotactl: 60,
  sethostname: 161,
  setdomainname: 162,
  adjtimex: 171,
  settimeofday: 170,
  clock_settime: 112,
  clock_adjtime: 266,
};

const refusedByAll: Record<string, number> = {
  pidfd_send_signal: 424,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  pidfd_open: 434,
  pidfd_getfd: 438,
  process_madvise: 440,
  mount_setattr: 442,
  quotactl_fd: 443,
  process_mrelease: 448,
  fchmodat2: 452,
  setxattrat: 463,
  removexattrat: 466,
  open_tree_attr: 467,
};

/** Answered as by a kernel that does not have them (ENOSYS), so that libraries take the older call, which can be looked into.
 * A ring that libuv has made before is left to it (it would abort); the executed host makes none. */
const absentByAll = [425, 427, 435]; // io_uring_setup, io_uring_register, clone3
/** Later calls are not known here: absent as well. */
export const lastKnownCall = 469;

export interface CallNumbers {
  /** AUDIT_ARCH_…: what the kernel says a call was made for. */
  audit: number;
  refused: number[];
  absent: number[];
  execve: number;
  execveat: number;
  socketpair: number;
  clone: number;
  kill: number;
  tgkill: number;
  prlimit64: number;
  seccomp: number;
}

const x64: CallNumbers = {
  audit: 0xc000003e,
  refused: [...Object.values(refusedByX64), ...Object.values(refusedByAll)],
  absent: absentByAll,
  execve: 59,
  execveat: 322,
  socketpair: 53,
  clone: 56,
  kill: 62,
  tgkill: 234,
  prlimit64: 302,
  seccomp: 317,
};

const arm64: CallNumbers = {
  audit: 0xc00000b7,
  refused: [...Object.values(refusedByArm64), ...Object.values(refusedByAll)],
  absent: absentByAll,
  execve: 221,
  execveat: 281,
  socketpair: 199,
  clone: 220,
  kill: 129,
  tgkill: 131,
  prlimit64: 261,
  seccomp: 277,
};

/** Null for an architecture whose numbers are not listed. */
export const callNumbers = (architecture: string): CallNumbers | null =>
  architecture === 'x64' ? x64 : architecture === 'arm64' ? arm64 : null;
