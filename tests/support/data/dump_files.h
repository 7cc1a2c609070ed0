#pragma once

#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/tensors/formats/numpy/npy_writer.h"

namespace ulp::test {

/// Dumps on disk, as small as dumps get.

/// A .npy file of float32.
inline void writeNpy(const std::filesystem::path& file,
                     const std::vector<std::int64_t>& shape,
                     const std::vector<float>& values) {
  std::filesystem::create_directories(file.parent_path());
  const auto written =
      tensors::writeNpy(file, {values.data(), DType::Float32, shape}, Durability::WithItsFolder);
  if (!written) {
    throw std::runtime_error(written.error().message());
  }
}

/// What a module put out, by its statistics.
struct RecordedModule {
  std::string path;  ///< "model.layers.0"
  double max = 1;
  double norm = 2;
};

/// A statistics dump as msprobe 26 writes it: modules one after another inside `model`, each with
/// the same call stack of two frames.
inline void writeStatisticsDump(const std::filesystem::path& folder,
                                const std::vector<RecordedModule>& modules) {
  std::filesystem::create_directories(folder);
  const std::string tensor =
      R"({{"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2, 4], "Max": {}, )"
      R"("Min": -1.0, "Mean": 0.5, "Norm": {}, "requires_grad": false}})";
  std::vector<std::string> data;
  std::vector<std::string> parents;
  std::vector<std::string> names;
  const std::string outer = "Module.model.Model.forward.0";
  for (const RecordedModule& module : modules) {
    const std::string name = fmt::format("Module.{}.Layer.forward.0", module.path);
    names.push_back('"' + name + '"');
    parents.push_back(fmt::format(R"("{}": "{}")", name, outer));
    data.push_back(
        fmt::format(R"("{}": {{"input_args": [], "input_kwargs": {{}}, "output": [{}]}})",
                    name,
                    fmt::format(fmt::runtime(tensor), module.max, module.norm)));
  }
  parents.push_back(fmt::format(R"("{}": null)", outer));
  data.push_back(
      fmt::format(R"("{}": {{"input_args": [], "input_kwargs": {{}}, "output": []}})", outer));
  std::ofstream(folder / "dump.json")
      << fmt::format(R"({{"task": "statistics", "level": "L0", "framework": "pytorch", )"
                     R"("dump_data_dir": null, "data": {{{}}}}})",
                     fmt::join(data, ", "));
  std::ofstream(folder / "construct.json") << fmt::format("{{{}}}", fmt::join(parents, ", "));
  std::ofstream(folder / "stack.json") << fmt::format(
      R"x({{"0": [[{}], ["File model.py, line 7, in forward, \n x = self.layer(x)", )x"
      R"x("File train.py, line 3, in step, \n model(batch)"]]}})x",
      fmt::join(names, ", "));
}

}  // namespace ulp::test
