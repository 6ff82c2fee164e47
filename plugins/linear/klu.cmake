# KLU with all that it needs, for plugins that use it. Where its archives are there they become part of the plugin: shared
# libraries, five of them, take a tenth of the time of a first model, as every run opens them. -D KLU_ARCHIVES=OFF links these.
include_guard(GLOBAL)
option(KLU_ARCHIVES "Put KLU within the plugins that use it" ON)
tenon_find_library(klu HEADER klu.h IN suitesparse)
set(archives "")
foreach(library klu btf colamd amd suitesparseconfig)
    find_library(${library}_archive lib${library}.a)
    mark_as_advanced(${library}_archive)
    list(APPEND archives ${${library}_archive})
endforeach()
if(TARGET found::klu AND KLU_ARCHIVES AND NOT archives MATCHES NOTFOUND)
    list(POP_FRONT archives first)
    set_target_properties(found::klu PROPERTIES IMPORTED_LOCATION ${first} INTERFACE_LINK_LIBRARIES "${archives};m"
                          INTERFACE_LINK_OPTIONS -Wl,--exclude-libs,ALL)
endif()
