-- The same as kinetic_energy.py: numbers of arrays count from 1.
function VARSUB(id, time, par, npar, dflag, iflag)
  local vm = sysfnc("VM", par[1])
  local w = sysary("RVEL", par[1])
  return 0.5*(par[2]*vm^2 + par[3]*w[1]^2 + par[4]*w[2]^2 + par[5]*w[3]^2)
end
