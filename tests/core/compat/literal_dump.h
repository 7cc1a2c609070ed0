#pragma once

#include <string>

namespace ulp::compat::test {

/// A dump.json of msprobe with one entry, whose leaves are given.
inline std::string dumpOf(const std::string& task, const std::string& leaf) {
  return R"({"task": ")" + task + R"(", "level": "L1", "dump_data_dir": null, "data": )" +
         R"({"Torch.a.0.forward": {"output": [)" + leaf + "]}}}";
}

/// A leaf with this maximum.
inline std::string withMax(const std::string& max) {
  return R"({"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2], "Max": )" + max +
         R"(, "Min": 0.5})";
}
inline const std::string kPlain = withMax("1.0");
inline const std::string kSummed =
    R"({"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2], "md5": "00ff00ff"})";

/// The beginning of a dump: one whole call, and the next one broken off.
inline std::string cutOff(const std::string& leaf) {
  const std::string whole = dumpOf("statistics", leaf);
  return whole.substr(0, whole.size() - 2) + R"(, "Torch.b.0.forward": {"outp)";
}

}  // namespace ulp::compat::test
