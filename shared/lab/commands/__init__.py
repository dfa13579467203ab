"""The commands of `lab`, a thin function each; the work is done in the modules beside this one."""
