#pragma once

#include <cmath>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/numerics/scalar_formats.h"
#include "core/report/model/report.h"
#include "core/tensors/hdf5/capture_writer.h"
#include "tests/support/data/report_builder.h"

namespace ulp::test {

/// A tensor of a run, to be kept in the file of captures.
struct KeptTensor {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<float> values;
  DType dtype = DType::Float32;  ///< float32 or bfloat16
  Pass pass = Pass::Forward;
};

/// Values that differ from each other and from zero.
inline std::vector<float> wave(std::size_t count, float scale = 1) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] =
        scale * (std::sin(static_cast<float>(i) * 0.37F) + 0.01F * static_cast<float>(i % 7));
  }
  return values;
}

/// The values of `tensor` in its own format.
inline std::vector<std::byte> storedBytes(const KeptTensor& tensor) {
  std::vector<std::byte> bytes(tensor.values.size() * itemSize(tensor.dtype));
  for (std::size_t i = 0; i < tensor.values.size(); ++i) {
    if (tensor.dtype == DType::BFloat16) {
      const std::uint16_t bits = numerics::encodeBFloat16(static_cast<double>(tensor.values[i]));
      std::memcpy(&bytes[i * sizeof(bits)], &bits, sizeof(bits));
    } else {
      std::memcpy(&bytes[i * sizeof(float)], &tensor.values[i], sizeof(float));
    }
  }
  return bytes;
}

/// Writes `tensors` as the captures of `run`. With `sampleLimit`, samples of them.
inline void keepTensors(tensors::CaptureWriter& writer,
                        const std::string& run,
                        const std::vector<KeptTensor>& kept,
                        std::uint64_t sampleLimit = 0) {
  ASSERT_TRUE(writer.beginRun(run).has_value());
  for (const KeptTensor& tensor : kept) {
    const std::vector<std::byte> bytes = storedBytes(tensor);
    const Site site = layerSite(tensor.name, tensor.name == "decoder.0" ? 0 : -1, tensor.pass);
    const Result<> put = writer.put(site, {bytes.data(), tensor.dtype, tensor.shape}, sampleLimit);
    ASSERT_TRUE(put.has_value()) << put.error().message();
  }
  ASSERT_TRUE(writer.finishRun().has_value());
}

/// Saves a report of one layer and of the variant "bf16" into `folder`, with these tensors in both
/// runs: the variant's rounded to bfloat16.
inline report::Report saveCapturedReport(const std::filesystem::path& folder,
                                         std::vector<KeptTensor> kept,
                                         std::uint64_t sampleLimit = 0) {
  report::Report report = sampleReport(1, {"bf16"});
  for (report::Comparison& row : report.runs[1].comparisons) {
    for (const KeptTensor& tensor : kept) {
      if (row.site.name == tensor.name && row.site.pass == tensor.pass) {
        row.shape = tensor.shape;
        row.worst = {{std::vector<std::int64_t>(tensor.shape.size(), 0), 1.5, 1.25}};
      }
    }
  }
  EXPECT_TRUE(report::saveReport(report, folder).has_value());
  auto writer = tensors::CaptureWriter::create(folder);
  EXPECT_TRUE(writer.has_value());
  keepTensors(**writer, "reference", kept, sampleLimit);
  for (KeptTensor& tensor : kept) {
    tensor.dtype = DType::BFloat16;
  }
  keepTensors(**writer, "bf16", kept, sampleLimit);
  return report;
}

}  // namespace ulp::test
