-- The same as kinetic_energy.py: arrays count from 1.
function VARSUB(id, time, par, npar, dflag, iflag)
  local centre = par[1]
  local speed = sysfnc("VM", centre)
  local w = sysary("RVEL", centre, 0, centre)
  return 0.5*(par[2]*speed^2 + par[3]*w[1]^2 + par[4]*w[2]^2 + par[5]*w[3]^2)
end
