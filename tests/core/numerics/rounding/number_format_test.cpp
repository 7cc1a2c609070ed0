#include "core/numerics/rounding/number_format.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace ulp::numerics {
namespace {

struct Published {
  NumberFormat format;
  int bias;
  double maxFinite;
  double minNormal;
  double minSubnormal;
};

/// IEEE 754 table 3.5; OCP OFP8 1.0 table 2; OCP MX 1.0 tables 2 and 5; tf32: PTX ISA, data types.
constexpr Published kPublished[] = {
    {NumberFormat::Float64, 1023, 0x1.FFFFFFFFFFFFFp1023, 0x1p-1022, 0x1p-1074},
    {NumberFormat::Float32, 127, 0x1.FFFFFEp127, 0x1p-126, 0x1p-149},
    {NumberFormat::Tf32, 127, 0x1.FFCp127, 0x1p-126, 0x1p-136},
    {NumberFormat::BFloat16, 127, 0x1.FEp127, 0x1p-126, 0x1p-133},
    {NumberFormat::Float16, 15, 65504, 0x1p-14, 0x1p-24},
    {NumberFormat::Float8E4M3FN, 7, 448, 0x1p-6, 0x1p-9},
    {NumberFormat::Float8E5M2, 15, 57344, 0x1p-14, 0x1p-16},
    {NumberFormat::Mxfp8, 7, 448, 0x1p-6, 0x1p-9},
    {NumberFormat::Mxfp4, 1, 6, 1, 0.5},
    {NumberFormat::Nvfp4, 1, 6, 1, 0.5},
};

TEST(NumberFormat, RangesAreThePublishedOnes) {
  ASSERT_EQ(numberFormats().size(), std::size(kPublished));
  for (const Published& published : kPublished) {
    const FormatDescription& format = describe(published.format);
    EXPECT_EQ(format.bias(), published.bias) << format.name;
    EXPECT_EQ(format.maxFinite, published.maxFinite) << format.name;
    EXPECT_EQ(std::ldexp(1.0, format.minExponent()), published.minNormal) << format.name;
    EXPECT_EQ(std::ldexp(1.0, format.minExponent() - format.mantissaBits), published.minSubnormal)
        << format.name;
  }
}

TEST(NumberFormat, BlocksAreThePublishedOnes) {
  EXPECT_EQ(describe(NumberFormat::Mxfp8).blockSize, 32);
  EXPECT_EQ(describe(NumberFormat::Mxfp4).blockSize, 32);
  EXPECT_EQ(describe(NumberFormat::Nvfp4).blockSize, 16);
  EXPECT_EQ(describe(NumberFormat::Mxfp8).scale, BlockScale::E8M0);
  EXPECT_EQ(describe(NumberFormat::Mxfp4).scale, BlockScale::E8M0);
  EXPECT_EQ(describe(NumberFormat::Nvfp4).scale, BlockScale::E4M3);
  EXPECT_FALSE(describe(NumberFormat::Float8E4M3FN).isBlockScaled());
}

TEST(NumberFormat, NamesAreReadBack) {
  for (const FormatDescription& format : numberFormats()) {
    EXPECT_EQ(parseNumberFormat(format.name), format.format) << format.name;
    EXPECT_EQ(parseNumberFormat(format.alias), format.format) << format.alias;
    EXPECT_EQ(toString(format.format), format.name);
  }
  EXPECT_EQ(parseNumberFormat("torch.bfloat16"), NumberFormat::BFloat16);
  EXPECT_EQ(parseNumberFormat("half"), NumberFormat::Float16);
  EXPECT_EQ(parseNumberFormat("int8"), std::nullopt);
  EXPECT_EQ(parseNumberFormat("fp6"), std::nullopt);
}

TEST(NumberFormat, SimulatedOnesAreHeldInFloat32) {
  for (const FormatDescription& format : numberFormats()) {
    const bool native =
        format.format == NumberFormat::Float64 || format.format == NumberFormat::Float32 ||
        format.format == NumberFormat::BFloat16 || format.format == NumberFormat::Float16;
    EXPECT_EQ(isSimulated(format.format), !native) << format.name;
    EXPECT_EQ(toString(carrierOf(format.format)), native ? format.name : "float32");
  }
  EXPECT_EQ(formatOf(DType::Float8E5M2), NumberFormat::Float8E5M2);
  EXPECT_EQ(formatOf(DType::Int32), std::nullopt);
}

}  // namespace
}  // namespace ulp::numerics
