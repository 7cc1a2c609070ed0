#include "core/numerics/rounding/number_format.h"

#include <algorithm>
#include <array>

#include "core/base/list_of.h"

namespace ulp::numerics {
namespace {

constexpr double kE4M3Largest = 448;
constexpr double kE2M1Largest = 6;

constexpr FormatDescription ieee(NumberFormat format,
                                 std::string_view name,
                                 std::string_view alias,
                                 int exponentBits,
                                 int mantissaBits) {
  FormatDescription row{format, name, alias, exponentBits, mantissaBits};
  // (2 - 2^-mantissaBits) * 2^bias
  double power = 1;
  for (int i = 0; i < row.bias(); ++i) {
    power *= 2;
  }
  row.maxFinite =
      (2 - 1 / static_cast<double>(std::uint64_t{1} << static_cast<unsigned>(mantissaBits))) *
      power;
  return row;
}

constexpr std::array<FormatDescription, 10> kFormats{{
    ieee(NumberFormat::Float64, "float64", "fp64", 11, 52),
    ieee(NumberFormat::Float32, "float32", "fp32", 8, 23),
    ieee(NumberFormat::Tf32, "tf32", "tensorfloat32", 8, 10),
    ieee(NumberFormat::BFloat16, "bfloat16", "bf16", 8, 7),
    ieee(NumberFormat::Float16, "float16", "fp16", 5, 10),
    {.format = NumberFormat::Float8E4M3FN,
     .name = "float8_e4m3fn",
     .alias = "fp8_e4m3",
     .exponentBits = 4,
     .mantissaBits = 3,
     .maxFinite = kE4M3Largest,
     .hasInfinity = false},
    ieee(NumberFormat::Float8E5M2, "float8_e5m2", "fp8_e5m2", 5, 2),
    {.format = NumberFormat::Mxfp8,
     .name = "mxfp8",
     .alias = "mxfp8_e4m3",
     .exponentBits = 4,
     .mantissaBits = 3,
     .maxFinite = kE4M3Largest,
     .hasInfinity = false,
     .blockSize = 32,
     .scale = BlockScale::E8M0},
    {.format = NumberFormat::Mxfp4,
     .name = "mxfp4",
     .alias = "mxfp4_e2m1",
     .exponentBits = 2,
     .mantissaBits = 1,
     .maxFinite = kE2M1Largest,
     .hasInfinity = false,
     .hasNan = false,
     .blockSize = 32,
     .scale = BlockScale::E8M0},
    {.format = NumberFormat::Nvfp4,
     .name = "nvfp4",
     .alias = "nvfp4_e2m1",
     .exponentBits = 2,
     .mantissaBits = 1,
     .maxFinite = kE2M1Largest,
     .hasInfinity = false,
     .hasNan = false,
     .blockSize = 16,
     .scale = BlockScale::E4M3},
}};

static_assert(followEnum(kFormats, &FormatDescription::format));

}  // namespace

std::span<const FormatDescription> numberFormats() {
  return kFormats;
}

const FormatDescription& describe(NumberFormat format) {
  return kFormats[static_cast<std::size_t>(format)];
}

std::string_view toString(NumberFormat format) {
  return describe(format).name;
}

std::optional<NumberFormat> parseNumberFormat(std::string_view name) {
  const auto* const row = std::ranges::find_if(kFormats, [name](const FormatDescription& format) {
    return name == format.name || name == format.alias;
  });
  if (row != kFormats.end()) {
    return row->format;
  }
  const std::optional<DType> dtype = parseDType(name);
  return dtype ? formatOf(*dtype) : std::nullopt;
}

bool isSimulated(NumberFormat format) {
  return formatOf(carrierOf(format)) != format;
}

DType carrierOf(NumberFormat format) {
  switch (format) {
    case NumberFormat::Float64:
      return DType::Float64;
    case NumberFormat::BFloat16:
      return DType::BFloat16;
    case NumberFormat::Float16:
      return DType::Float16;
    default:
      return DType::Float32;
  }
}

std::optional<NumberFormat> formatOf(DType dtype) {
  const auto* const row = std::ranges::find(kFormats, toString(dtype), &FormatDescription::name);
  return row == kFormats.end() ? std::nullopt : std::optional(row->format);
}

}  // namespace ulp::numerics
