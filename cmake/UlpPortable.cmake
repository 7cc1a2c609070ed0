# ulp_make_portable(target …)
# Programs and libraries of a folder that is copied to machines without this build: they, and what they load, look for
# libraries in ../lib first. Not by RUNPATH, which does not hold for what libraries need themselves. Targets that this build
# does not have are left out.
function(ulp_make_portable)
  foreach(target ${ARGN})
    if(TARGET ${target})
      target_link_options(${target} PRIVATE -Wl,--disable-new-dtags)
    endif()
  endforeach()
endfunction()
