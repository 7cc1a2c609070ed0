#pragma once

#include <array>

#include "core/base/memory/device_memory.h"
#include "core/json/record.h"

namespace ulp::report {

inline constexpr std::array kMemoryPartFields{json::field<&MemoryParts::weights>("weights"),
                                              json::field<&MemoryParts::gradients>("gradients"),
                                              json::field<&MemoryParts::activations>("activations"),
                                              json::field<&MemoryParts::captures>("captures"),
                                              json::field<&MemoryParts::workspace>("workspace")};

inline constexpr std::array kMemoryFields{
    json::recordField<&DeviceMemory::planned, kMemoryPartFields>("planned"),
    json::field<&DeviceMemory::free>("free"),
    json::field<&DeviceMemory::begin>("begin"),
    json::field<&DeviceMemory::forward>("forward"),
    json::field<&DeviceMemory::forwardPeak>("forward_peak"),
    json::field<&DeviceMemory::backward>("backward"),
    json::field<&DeviceMemory::backwardPeak>("backward_peak"),
    json::field<&DeviceMemory::captures>("captures"),
    json::field<&DeviceMemory::reserved>("reserved")};

}  // namespace ulp::report
