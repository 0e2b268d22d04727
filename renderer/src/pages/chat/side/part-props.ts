import type { Parameters } from '../model/parameters.ts';
import type { ParameterProblems } from '../model/request.ts';

export interface SidePartProps {
  parameters: Parameters;
  problems: ParameterProblems;
  set: (change: Partial<Parameters>) => void;
}
