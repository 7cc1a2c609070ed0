#include "core/tensors/formats/gguf/gguf_format.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/base/threads.h"
#include "core/tensors/formats/gguf/gguf_blocks.h"

namespace ulp::tensors {
namespace {

using D = DType;
constexpr std::nullopt_t kPacked = std::nullopt;

// Numbers and block sizes as in ggml.h; formats without a decoder are there so that the extent of
// their tensors can be checked.
constexpr std::array<GgufFormat, 34> kFormats{{
    {0, "F32", 1, 4, D::Float32, nullptr},      {1, "F16", 1, 2, D::Float16, nullptr},
    {2, "Q4_0", 32, 18, kPacked, decodeQ40},    {3, "Q4_1", 32, 20, kPacked, decodeQ41},
    {6, "Q5_0", 32, 22, kPacked, decodeQ50},    {7, "Q5_1", 32, 24, kPacked, decodeQ51},
    {8, "Q8_0", 32, 34, kPacked, decodeQ80},    {9, "Q8_1", 32, 36, kPacked, nullptr},
    {10, "Q2_K", 256, 84, kPacked, decodeQ2K},  {11, "Q3_K", 256, 110, kPacked, decodeQ3K},
    {12, "Q4_K", 256, 144, kPacked, decodeQ4K}, {13, "Q5_K", 256, 176, kPacked, decodeQ5K},
    {14, "Q6_K", 256, 210, kPacked, decodeQ6K}, {15, "Q8_K", 256, 292, kPacked, nullptr},
    {16, "IQ2_XXS", 256, 66, kPacked, nullptr}, {17, "IQ2_XS", 256, 74, kPacked, nullptr},
    {18, "IQ3_XXS", 256, 98, kPacked, nullptr}, {19, "IQ1_S", 256, 50, kPacked, nullptr},
    {20, "IQ4_NL", 32, 18, kPacked, nullptr},   {21, "IQ3_S", 256, 110, kPacked, nullptr},
    {22, "IQ2_S", 256, 82, kPacked, nullptr},   {23, "IQ4_XS", 256, 136, kPacked, nullptr},
    {24, "I8", 1, 1, D::Int8, nullptr},         {25, "I16", 1, 2, D::Int16, nullptr},
    {26, "I32", 1, 4, D::Int32, nullptr},       {27, "I64", 1, 8, D::Int64, nullptr},
    {28, "F64", 1, 8, D::Float64, nullptr},     {29, "IQ1_M", 256, 56, kPacked, nullptr},
    {30, "BF16", 1, 2, D::BFloat16, nullptr},   {34, "TQ1_0", 256, 54, kPacked, nullptr},
    {35, "TQ2_0", 256, 66, kPacked, nullptr},   {39, "MXFP4", 32, 17, kPacked, nullptr},
    {40, "NVFP4", 64, 36, kPacked, nullptr},    {41, "Q1_0", 128, 18, kPacked, nullptr},
}};

}  // namespace

const GgufFormat* findGgufFormat(std::uint32_t id) {
  const auto found = std::find_if(
      kFormats.begin(), kFormats.end(), [id](const auto& format) { return format.id == id; });
  return found == kFormats.end() ? nullptr : &*found;
}

const GgufFormat* findGgufFormat(std::string_view name) {
  const auto found = std::find_if(
      kFormats.begin(), kFormats.end(), [name](const auto& format) { return format.name == name; });
  return found == kFormats.end() ? nullptr : &*found;
}

Result<> decodeBlocks(const GgufFormat& format,
                      std::span<const std::byte> blocks,
                      std::span<float> elements) {
  // Below this number of elements a thread costs more than it saves.
  constexpr std::size_t kGrain = std::size_t{1} << 17U;
  const std::size_t count = elements.size() / format.blockElements;
  const std::size_t parts = threadsFor(elements.size() / kGrain);
  const auto decodePart = [&](std::size_t part) {
    const std::size_t begin = count * part / parts;
    const std::size_t end = count * (part + 1) / parts;
    format.decode(blocks.data() + begin * format.blockBytes,
                  elements.data() + begin * format.blockElements,
                  end - begin);
  };
  return runOnThreads(parts, decodePart);
}

}  // namespace ulp::tensors
