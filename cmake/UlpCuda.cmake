# Sets ULP_HAVE_CUDA when a CUDA compiler works; otherwise core/engine/no_cuda is built in its place.
# CMAKE_CUDA_COMPILER and CUDACXX decide; else nvcc of the PATH, of the toolkit in CUDA_HOME or in
# /usr/local/cuda, and last the one that `make setup-cuda` installs.
set(ULP_HAVE_CUDA OFF)
if(ULP_CUDA)
  include(CheckLanguage)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    # Each takes a core 15 s. The GPUs of this machine, and 80, whose PTX the driver compiles for what is newer, once.
    execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
      OUTPUT_VARIABLE _ulp_generations RESULT_VARIABLE _ulp_no_gpu OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(_ulp_no_gpu)
      set(_ulp_generations "")
    endif()
    string(REGEX REPLACE "([0-9]+)\\.([0-9]+)" "\\1\\2-real" _ulp_generations "${_ulp_generations}")
    string(REPLACE "\n" ";" _ulp_generations "80;${_ulp_generations}")
    list(REMOVE_DUPLICATES _ulp_generations)
    list(FILTER _ulp_generations INCLUDE REGEX "^(75-real|80|8[1-9]-real|[19][0-9]+-real)$")
    set(CMAKE_CUDA_ARCHITECTURES ${_ulp_generations} CACHE STRING "GPU generations to compile for")
  endif()
  # The build configures anew when the glob finds what it did not before.
  file(GLOB _ulp_wheel_nvcc CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/build/deps/python/lib/python3*/site-packages/nvidia/cu13/bin/nvcc)
  if(NOT CMAKE_CUDA_COMPILER)
    # What an earlier check did not find may be there by now.
    unset(CMAKE_CUDA_COMPILER CACHE)
    if(NOT DEFINED ENV{CUDACXX})
      find_program(_ulp_nvcc nvcc NO_CACHE PATHS ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda
        PATH_SUFFIXES bin)
      if(NOT _ulp_nvcc AND _ulp_wheel_nvcc)
        list(GET _ulp_wheel_nvcc 0 _ulp_nvcc)
      endif()
      if(_ulp_nvcc)
        message(STATUS "CUDA compiler: ${_ulp_nvcc}")
        set(ENV{CUDACXX} ${_ulp_nvcc})
      endif()
    endif()
  endif()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    # CMake 3.25 does not know how nvcc 13 is told the standard.
    foreach(kind STANDARD EXTENSION)
      set(CMAKE_CUDA20_${kind}_COMPILE_OPTION -std=c++20)
    endforeach()
    set(ULP_HAVE_CUDA ON)
    # The runtime, as a library that a process loads once: LibTorch's own, which lies beside the torch wheel, where that is
    # loaded already. The compiler out of a wheel has no libcudart.so, only this name of it.
    string(REGEX MATCH "^[0-9]+" _ulp_cuda_major ${CMAKE_CUDA_COMPILER_VERSION})
    cmake_path(SET ULP_CUDA_RUNTIME_FOLDER NORMALIZE ${ULP_TORCH_DIR}/../nvidia/cu${_ulp_cuda_major}/lib)
    find_library(ULP_CUDA_RUNTIME libcudart.so.${_ulp_cuda_major} REQUIRED
      PATHS ${CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES} ${ULP_CUDA_RUNTIME_FOLDER})
    cmake_path(GET ULP_CUDA_RUNTIME PARENT_PATH _ulp_found_folder)
    add_library(ulp_cuda_runtime INTERFACE)
    add_library(ulp::cuda_runtime ALIAS ulp_cuda_runtime)
    target_link_libraries(ulp_cuda_runtime INTERFACE ${ULP_CUDA_RUNTIME})
    target_include_directories(ulp_cuda_runtime SYSTEM INTERFACE ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
    if(NOT ULP_PACKAGED)
      target_link_options(ulp_cuda_runtime INTERFACE
        -Wl,-rpath,${_ulp_found_folder} -Wl,-rpath,${ULP_CUDA_RUNTIME_FOLDER} -Wl,--disable-new-dtags)
    endif()
    set(CMAKE_CUDA_RUNTIME_LIBRARY None)
  endif()
endif()
add_feature_info(cuda-plugin ULP_HAVE_CUDA
  "our own CUDA kernels (needs a CUDA compiler, which `make setup-cuda` installs)")
