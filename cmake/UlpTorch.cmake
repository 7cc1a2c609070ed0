# Imported target ulp::torch: LibTorch out of the PyPI wheel, the CPU half only.
#
# TorchConfig.cmake links libtorch_cuda, needs a CUDA toolkit to configure and costs half a second and
# 500 MB at every start. We link libtorch_cpu and libc10 and load libtorch_cuda.so at run time.
# OpenMP comes from the wheel's own libgomp: a second copy would give each half its own thread pool.

file(GLOB _ulp_torch_candidates
  ${PROJECT_SOURCE_DIR}/build/deps/python/lib/python3*/site-packages/torch)
list(APPEND _ulp_torch_candidates "")
list(GET _ulp_torch_candidates 0 _ulp_torch_default)
set(ULP_TORCH_DIR "${_ulp_torch_default}" CACHE PATH "Folder of the installed torch wheel (…/site-packages/torch)")
if(NOT EXISTS ${ULP_TORCH_DIR}/lib/libtorch_cpu.so)
  message(FATAL_ERROR
    "LibTorch not found (ULP_TORCH_DIR='${ULP_TORCH_DIR}'). Run `make setup`, which installs the wheel "
    "torch==2.11.0 into build/deps, or configure with -DULP_ENGINE=OFF.")
endif()

add_library(ulp_torch INTERFACE)
add_library(ulp::torch ALIAS ulp_torch)
target_include_directories(ulp_torch SYSTEM INTERFACE
  ${ULP_TORCH_DIR}/include ${ULP_TORCH_DIR}/include/torch/csrc/api/include)
target_link_libraries(ulp_torch INTERFACE ${ULP_TORCH_DIR}/lib/libtorch_cpu.so ${ULP_TORCH_DIR}/lib/libc10.so
  ${ULP_TORCH_DIR}/lib/libgomp.so.1)
# libtorch_cpu names CUDA libraries that other wheels hold; they are resolved at run time by its RPATH.
target_link_options(ulp_torch INTERFACE -Wl,--allow-shlib-undefined)
if(NOT ULP_PACKAGED)
  target_link_options(ulp_torch INTERFACE -Wl,-rpath,${ULP_TORCH_DIR}/lib -Wl,--disable-new-dtags)
endif()
