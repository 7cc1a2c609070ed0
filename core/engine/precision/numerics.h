#pragma once

#include <map>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/engine/placement/layer_devices.h"
#include "core/engine/precision/pass_formats.h"

namespace ulp::engine {

/// What the rules of a plan set at one module, by pass, on top of the plan's own formats.
struct MatchedFormats {
  std::string module;
  numerics::FormatOverrides forward;
  numerics::FormatOverrides backward;
};

/// The modules that at least one rule matches. Errors (InvalidArgument) name the rule by its place
/// and pattern: no regular expression, a pattern that no module matches (with near ones), a format
/// of something that has no pass in a rule for one pass.
[[nodiscard]] Result<std::vector<MatchedFormats>> matchRules(
    const PrecisionPlan& plan, const std::vector<std::string>& modules);

/// The modules in whose path the plan's pattern for float8 products is found. Errors
/// (InvalidArgument): as for rules.
[[nodiscard]] Result<std::vector<std::string>> matchFloat8(const PrecisionPlan& plan,
                                                           const std::vector<std::string>& modules);

/// A PrecisionPlan in LibTorch's words, with what follows from it at each module of a model.
class Numerics {
 public:
  /// A plan without rules, float32 throughout.
  Numerics();
  /// Makes numerics whose kernels show every operation that some kernel shows.
  [[nodiscard]] static Numerics showingEverything();
  /// `modules` are those that rules may match. Errors: InvalidArgument, Unsupported (Model::check).
  [[nodiscard]] static Result<Numerics> resolve(const PrecisionPlan& plan,
                                                const LayerDevices& devices,
                                                const std::vector<std::string>& modules);

  /// Those of the plan, without rules, for a module that no rule matches.
  [[nodiscard]] const SiteFormats& at(const std::string& module) const;
  [[nodiscard]] const SiteFormats& base() const { return m_base; }
  /// How a linear module multiplies in float8; null: it does not.
  [[nodiscard]] const Float8Products* float8At(const std::string& module) const;
  [[nodiscard]] const PrecisionPlan& plan() const { return m_plan; }
  [[nodiscard]] bool isFastLlm() const { return m_plan.semantics == Semantics::FastLlm; }
  [[nodiscard]] const LayerDevices& devices() const { return m_devices; }
  /// Where tokens, and what all layers share, come in.
  [[nodiscard]] const at::Device& device() const { return m_devices.first(); }
  /// A gradient may be float16 somewhere.
  [[nodiscard]] bool usesFloat16() const;

 private:
  PrecisionPlan m_plan;
  LayerDevices m_devices{at::kCPU};
  SiteFormats m_base;
  std::map<std::string, SiteFormats> m_sites;  ///< where they are not those of the plan
  std::vector<std::string> m_float8;           ///< modules of float8 products
};

}  // namespace ulp::engine
