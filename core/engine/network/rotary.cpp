#include "core/engine/network/rotary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

#include <c10/core/GradMode.h>

#include "core/engine/precision/pass_formats.h"

namespace ulp::engine {
namespace {

using numerics::Operation;

constexpr std::array<std::string_view, 7> kRopeTypes{
    "default", "linear", "dynamic", "yarn", "longrope", "llama3", "proportional"};

/// Frequencies are computed on the CPU when a model is made, and on its device when a long sequence
/// changes them.
at::Tensor evenIndices(std::int64_t dim, at::Device device = at::kCPU) {
  return at::arange(0, dim, 2, at::TensorOptions().dtype(at::kLong).device(device)).to(at::kFloat);
}

/// base ** (arange(0, dim, 2) / dim)
at::Tensor wavelengths(const at::Scalar& base, std::int64_t dim, at::Device device = at::kCPU) {
  return at::pow(base, evenIndices(dim, device) / at::Scalar(dim));
}

at::Tensor plainFrequencies(const at::Scalar& base, std::int64_t dim) {
  return wavelengths(base, dim).reciprocal();
}

/// At construction, where transformers computes the base in Python's doubles.
at::Tensor dynamicFrequencies(const RopeParameters& rope, std::int64_t dim) {
  const double factor = rope.factor->toDouble();
  const auto positions = static_cast<double>(rope.maxPositions);
  const auto d = static_cast<double>(dim);
  const double base = rope.theta.toDouble() *
                      std::pow((factor * positions / positions) - (factor - 1), d / (d - 2));
  return plainFrequencies(base, dim);
}

/// On a sequence beyond max_position_embeddings, where the length is an int64 tensor and the base
/// becomes a float32 one.
at::Tensor grownDynamicFrequencies(const RopeParameters& rope,
                                   std::int64_t dim,
                                   std::int64_t length,
                                   at::Device device) {
  const at::Tensor sequence =
      at::full({}, length, at::TensorOptions().dtype(at::kLong).device(device));
  const at::Scalar factorLessOne = rope.factor->isIntegral(false)
                                       ? at::Scalar(rope.factor->toLong() - 1)
                                       : at::Scalar(rope.factor->toDouble() - 1);
  const auto d = static_cast<double>(dim);
  const at::Tensor stretch =
      (sequence * *rope.factor / at::Scalar(rope.maxPositions) - factorLessOne)
          .pow(at::Scalar(d / (d - 2)));
  const at::Tensor base = stretch * rope.theta;
  return at::pow(base, evenIndices(dim, device) / at::Scalar(dim)).reciprocal();
}

/// How many times longer sequences have become.
double stretchOf(const RopeParameters& rope) {
  return rope.factor ? rope.factor->toDouble()
                     : static_cast<double>(rope.maxPositions) /
                           static_cast<double>(rope.originalMaxPositions);
}

double yarnMscale(double scale, double mscale) {
  return scale <= 1 ? 1.0 : 0.1 * mscale * std::log(scale) + 1.0;
}

double yarnAttentionFactor(const RopeParameters& rope, double factor) {
  if (rope.attentionFactor) {
    return *rope.attentionFactor;
  }
  const double mscale = rope.mscale.value_or(0);
  const double mscaleAllDim = rope.mscaleAllDim.value_or(0);
  if (mscale != 0 && mscaleAllDim != 0) {
    return yarnMscale(factor, mscale) / yarnMscale(factor, mscaleAllDim);
  }
  return yarnMscale(factor, 1);
}

/// find_correction_range: the dimensions between which yarn blends.
std::pair<double, double> yarnRange(const RopeParameters& rope, std::int64_t dim) {
  const auto correctionDim = [&](double rotations) {
    return (static_cast<double>(dim) * std::log(static_cast<double>(rope.originalMaxPositions) /
                                                (rotations * 2 * std::numbers::pi))) /
           (2 * std::log(rope.theta.toDouble()));
  };
  double low = correctionDim(rope.betaFast);
  double high = correctionDim(rope.betaSlow);
  if (rope.truncate) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  return {std::max(low, 0.0), std::min(high, static_cast<double>(dim - 1))};
}

InverseFrequencies yarnFrequencies(const RopeParameters& rope, std::int64_t dim) {
  const double factor = stretchOf(rope);
  const at::Tensor waves = wavelengths(rope.theta, dim);
  const at::Tensor extrapolated = waves.reciprocal();
  const at::Tensor interpolated = (waves * factor).reciprocal();
  auto [low, high] = yarnRange(rope, dim);
  if (low == high) {
    high += 0.001;
  }
  const at::Tensor ramp = at::clamp(
      (at::arange(dim / 2, at::TensorOptions().dtype(at::kFloat)) - low) / (high - low), 0, 1);
  const at::Tensor kept = at::rsub(ramp, 1);
  return {interpolated * at::rsub(kept, 1) + extrapolated * kept,
          yarnAttentionFactor(rope, factor)};
}

at::Tensor longropeFrequencies(const RopeParameters& rope,
                               const std::vector<double>& factors,
                               std::int64_t dim,
                               at::Device device = at::kCPU) {
  const at::Tensor stretch =
      at::tensor(factors, at::TensorOptions().dtype(at::kDouble)).to(device, at::kFloat);
  return (stretch * wavelengths(rope.theta, dim, device)).reciprocal();
}

double longropeAttentionFactor(const RopeParameters& rope) {
  if (rope.attentionFactor) {
    return *rope.attentionFactor;
  }
  const double factor = stretchOf(rope);
  const auto original = static_cast<double>(rope.originalMaxPositions);
  return factor <= 1.0 ? 1.0 : std::sqrt(1 + std::log(factor) / std::log(original));
}

at::Tensor llama3Frequencies(const RopeParameters& rope, std::int64_t dim) {
  const at::Tensor plain = plainFrequencies(rope.theta, dim);
  const at::Scalar factor = *rope.factor;
  const double low = rope.lowFrequencyFactor;
  const double high = rope.highFrequencyFactor;
  const auto context = static_cast<double>(rope.originalMaxPositions);
  const at::Tensor wavelength = plain.reciprocal() * (2 * std::numbers::pi);
  const at::Tensor isLong = wavelength > context / low;
  const at::Tensor scaled = at::where(isLong, plain / factor, plain);
  const at::Tensor smooth = (wavelength.reciprocal() * context - low) / (high - low);
  const at::Tensor blended = at::rsub(smooth, 1) * scaled / factor + smooth * scaled;
  const at::Tensor isMedium =
      at::bitwise_not(wavelength < context / high) * at::bitwise_not(isLong);
  return at::where(isMedium, blended, scaled);
}

/// theta ** -arange(0, 1, 2 / dim) in float64, of which Fast-LLM makes its tables.
at::Tensor preciseFrequencies(const RopeParameters& rope, std::int64_t dim) {
  const at::Tensor exponents =
      at::arange(0, 1, 2 / static_cast<double>(dim), at::TensorOptions().dtype(at::kDouble));
  return at::pow(at::Scalar(rope.theta.toDouble()), -exponents);
}

/// The buffer as the forward pass finds it, after dynamic_rope_update.
InverseFrequencies frequenciesForLength(const RopeParameters& rope,
                                        std::int64_t headDim,
                                        std::int64_t length,
                                        const Numerics& numerics,
                                        const PassFormats& formats) {
  InverseFrequencies frequencies = inverseFrequencies(rope, headDim);
  if (rope.type == "dynamic" && length > rope.maxPositions) {
    // The new buffer replaces the cast one, so that Cast::Module does not round it.
    frequencies.values = grownDynamicFrequencies(rope, headDim, length, numerics.device());
    return frequencies;
  }
  if (rope.type == "longrope" && length > rope.originalMaxPositions) {
    frequencies.values = longropeFrequencies(rope, rope.longFactor, headDim, numerics.device());
  }
  if (numerics.plan().cast == Cast::Module) {
    frequencies.values = formats.to(frequencies.values, Operation::Compute);
  }
  return frequencies;
}

RotaryTables preciseTables(const at::Tensor& frequencies,
                           std::int64_t length,
                           double scaling,
                           const PassFormats& formats) {
  const at::Tensor positions = at::arange(length, frequencies.options());
  const at::Tensor angles = at::outer(positions, frequencies);
  const at::Tensor turns = at::polar(at::full_like(angles, scaling), angles);
  const auto table = [&](const at::Tensor& part) {
    return formats.to(at::cat({part, part}, -1).unsqueeze(0), Operation::RotaryTable);
  };
  return {table(at::real(turns)), table(at::imag(turns)), frequencies};
}

at::Tensor rotatedStepwise(const at::Tensor& x, const RotaryTables& tables) {
  // One statement per operation: autograd adds gradients in the reverse order of creation.
  const at::Tensor kept = x * tables.cos.unsqueeze(1);
  const std::int64_t size = x.size(-1);
  const at::Tensor first = x.slice(-1, 0, size / 2);
  const at::Tensor second = x.slice(-1, size / 2, size);
  const at::Tensor turned = at::cat({-second, first}, -1) * tables.sin.unsqueeze(1);
  return kept + turned;
}

/// Fast-LLM's rotation keeps heads beside each other, [batch, length, heads, headDim].
at::Tensor rotatedOnce(const at::Tensor& x, const RotaryTables& tables) {
  const std::int64_t half = x.size(-1) / 2;
  const at::Tensor cos = tables.cos.slice(-1, 0, half).unsqueeze(2);
  const at::Tensor sin = tables.sin.slice(-1, 0, half).unsqueeze(2);
  const std::vector<at::Tensor> parts = x.transpose(1, 2).chunk(2, -1);
  const at::Tensor real = parts[0] * cos - parts[1] * sin;
  const at::Tensor imaginary = parts[1] * cos + parts[0] * sin;
  return at::cat({real, imaginary}, -1).transpose(1, 2);
}

void checkFactors(ConfigReader& reader,
                  std::string_view key,
                  const std::vector<double>& factors,
                  std::int64_t headDim) {
  if (factors.size() != static_cast<std::size_t>(headDim / 2)) {
    reader.refuse(key,
                  "has " + std::to_string(factors.size()) + " factors, head_dim / 2 is " +
                      std::to_string(headDim / 2));
  }
}

std::optional<at::Scalar> scalarField(ConfigReader& reader, std::string_view key) {
  const std::optional<double> value = reader.optionalNumber(key);
  if (!value) {
    return std::nullopt;
  }
  return reader.field(key).isInteger() ? at::Scalar(reader.field(key).integer())
                                       : at::Scalar(*value);
}

void readTypeSpecific(ConfigReader& reader, RopeParameters& rope, std::int64_t headDim) {
  if (rope.type == "linear" || rope.type == "dynamic" || rope.type == "llama3") {
    if (!rope.factor) {
      reader.refuse("factor", "is missing");
      rope.factor = 1.0;
    }
  }
  if (rope.type == "yarn" && reader.field("factor").isNull() &&
      !reader.has("original_max_position_embeddings")) {
    reader.refuse("factor", "is missing");
  }
  if (rope.type == "llama3") {
    rope.lowFrequencyFactor = reader.number("low_freq_factor");
    rope.highFrequencyFactor = reader.number("high_freq_factor");
  }
  if (rope.type == "longrope") {
    rope.shortFactor = reader.numbers("short_factor");
    rope.longFactor = reader.numbers("long_factor");
    checkFactors(reader, "short_factor", rope.shortFactor, headDim);
    checkFactors(reader, "long_factor", rope.longFactor, headDim);
  }
  if (rope.type == "yarn") {
    // As transformers does, where zero means "the default".
    const double betaFast = reader.number("beta_fast", 0);
    const double betaSlow = reader.number("beta_slow", 0);
    rope.betaFast = betaFast != 0 ? betaFast : rope.betaFast;
    rope.betaSlow = betaSlow != 0 ? betaSlow : rope.betaSlow;
    rope.mscale = reader.optionalNumber("mscale");
    rope.mscaleAllDim = reader.optionalNumber("mscale_all_dim");
    rope.truncate = reader.boolean("truncate", true);
  }
}

}  // namespace

void standardizeRope(json::Value& config) {
  json::Value rope = config.at("rope_scaling");
  if (!rope.isObject() || rope.members().empty()) {
    rope = config.at("rope_parameters");
  }
  if (!rope.isObject()) {
    rope = json::Object();
    if (config.contains("rope_scaling") || config.contains("rope_parameters")) {
      rope["rope_type"] = "default";
    }
  }
  if (rope.contains("type") && !rope.contains("rope_type")) {
    rope["rope_type"] = json::Value(rope.at("type"));
  }
  rope.erase("type");
  if (config.contains("rope_theta") && !rope.contains("rope_theta")) {
    rope["rope_theta"] = config.at("rope_theta");
  }
  if (config.contains("original_max_position_embeddings")) {
    rope["original_max_position_embeddings"] = config.at("original_max_position_embeddings");
  }
  for (const char* old : {"rope_scaling", "rope_theta", "original_max_position_embeddings"}) {
    config.erase(old);
  }
  if (rope.members().empty()) {
    config.erase("rope_parameters");
  } else {
    config["rope_parameters"] = std::move(rope);
  }
}

RopeParameters readRope(ConfigReader& config, std::int64_t headDim, std::int64_t maxPositions) {
  RopeParameters rope;
  rope.maxPositions = maxPositions;
  const json::Value& field = config.field("rope_parameters");
  ConfigReader reader(field.isNull() ? json::Object() : field,
                      config.source() + ": rope_parameters");
  rope.type = reader.text("rope_type", "default");
  if (std::ranges::count(kRopeTypes, rope.type) == 0) {
    reader.refuse("rope_type",
                  "'" + rope.type +
                      "' is not supported (default, linear, dynamic, yarn, longrope, "
                      "llama3, proportional are)",
                  ErrorCode::Unsupported);
  }
  if (reader.number("partial_rotary_factor", 1.0) != 1.0) {
    reader.refuse("partial_rotary_factor", "must be 1 for this family", ErrorCode::Unsupported);
  }
  rope.theta = scalarField(reader, "rope_theta").value_or(at::Scalar(10000.0));
  rope.factor = scalarField(reader, "factor");
  rope.attentionFactor = reader.optionalNumber("attention_factor");
  rope.originalMaxPositions = reader.positive("original_max_position_embeddings", maxPositions);
  readTypeSpecific(reader, rope, headDim);
  if (auto status = reader.status(); !status) {
    config.adopt(status.error());
  }
  return rope;
}

InverseFrequencies inverseFrequencies(const RopeParameters& rope, std::int64_t headDim) {
  if (rope.type == "linear" || rope.type == "proportional") {
    return {plainFrequencies(rope.theta, headDim).div_(rope.factor.value_or(1.0)), 1.0};
  }
  if (rope.type == "dynamic") {
    return {dynamicFrequencies(rope, headDim), 1.0};
  }
  if (rope.type == "yarn") {
    return yarnFrequencies(rope, headDim);
  }
  if (rope.type == "longrope") {
    return {longropeFrequencies(rope, rope.shortFactor, headDim), longropeAttentionFactor(rope)};
  }
  if (rope.type == "llama3") {
    return {llama3Frequencies(rope, headDim), 1.0};
  }
  return {plainFrequencies(rope.theta, headDim), 1.0};
}

RotaryTables rotaryTables(const RopeParameters& rope,
                          std::int64_t headDim,
                          std::int64_t length,
                          const Numerics& numerics,
                          const std::string& module) {
  const c10::NoGradGuard noGrad;
  const PassFormats& formats = numerics.at(module).forward;
  const InverseFrequencies frequencies =
      frequenciesForLength(rope, headDim, length, numerics, formats);
  if (numerics.plan().rotary == Kernel::Fused) {
    const bool isExact = rope.type == "default" && numerics.plan().cast == Cast::Load;
    const at::Tensor values =
        isExact ? preciseFrequencies(rope, headDim) : frequencies.values.to(at::kDouble);
    return preciseTables(
        values.to(numerics.device()), length, frequencies.attentionScaling, formats);
  }
  const bool isWide = formats.type(Operation::RotaryTable) == at::kDouble ||
                      formats.type(Operation::Compute) == at::kDouble;
  const at::ScalarType math = isWide ? at::kDouble : at::kFloat;
  const at::Tensor positions =
      at::arange(length, at::TensorOptions().dtype(at::kLong).device(numerics.device()))
          .unsqueeze(0)
          .unsqueeze(-1)
          .to(math);
  const at::Tensor half = positions * frequencies.values.to(numerics.device()).to(math);
  const at::Tensor angles = at::cat({half, half}, -1);
  return {formats.to(angles.cos() * frequencies.attentionScaling, Operation::RotaryTable),
          formats.to(angles.sin() * frequencies.attentionScaling, Operation::RotaryTable),
          frequencies.values};
}

RotaryTables atPositions(const RotaryTables& tables, const at::Tensor& positions) {
  if (!positions.defined()) {
    return tables;
  }
  const auto at = [&](const at::Tensor& table) {
    const at::Tensor rows = table.index_select(1, positions.reshape({-1}));
    return rows.view({-1, positions.size(-1), table.size(-1)});
  };
  return {at(tables.cos), at(tables.sin), tables.inverseFrequencies};
}

RotatedPair rotate(const ForwardPass& pass,
                   const LayerPlace& place,
                   const at::Tensor& query,
                   const at::Tensor& key,
                   const RotaryTables& tables) {
  const SiteFormats& site = pass.numerics.at(place.path);
  const OperationRows rows(pass.probe, place);
  if (rows.areSeen()) {
    rows.showConstant("rotary.cos", site.forward.to(tables.cos, Operation::Rotary), Axes::Table);
    rows.showConstant("rotary.sin", site.forward.to(tables.sin, Operation::Rotary), Axes::Table);
  }
  const auto apply = pass.numerics.plan().rotary == Kernel::Fused ? rotatedOnce : rotatedStepwise;
  const auto rotated = [&](const at::Tensor& x) {
    return inFormats(
        site, {x}, [apply, tables](const std::vector<at::Tensor>& in, const PassFormats& formats) {
          return apply(formats.to(in[0], Operation::Rotary),
                       {formats.to(tables.cos, Operation::Rotary),
                        formats.to(tables.sin, Operation::Rotary),
                        {}});
        });
  };
  RotatedPair pair;
  pair.query = rotated(query);
  rows.show("rotary.query", pair.query, Axes::Heads);
  pair.key = rotated(key);
  rows.show("rotary.key", pair.key, Axes::Heads);
  return pair;
}

}  // namespace ulp::engine
