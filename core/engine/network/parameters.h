#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include <ATen/core/Tensor.h>

#include "core/engine/precision/numerics.h"

namespace ulp::engine {

/// How an operation reads a parameter: numbers of `format`, in elements of `type`.
struct ParameterFormat {
  numerics::NumberFormat format = numerics::NumberFormat::Float32;
  at::ScalarType type = at::kFloat;
  /// A parameter is rounded once, whoever reads it: its stream of random numbers is its own.
  numerics::RoundingMode rounding = numerics::RoundingMode::NearestEven;
  numerics::Overflow overflow = numerics::Overflow::Propagate;
  std::uint64_t seed = 0;

  friend bool operator==(const ParameterFormat&, const ParameterFormat&) = default;
};

[[nodiscard]] ParameterFormat parameterFormat(const SiteFormats& site);

/// Parameters of one run by their Hugging Face names. Each use of one is a leaf of its own of the
/// autograd graph that shares the parameter's elements; the gradients of all uses are added in the
/// format of gradient buffers, in the order of the backward pass.
class ParameterSet {
 public:
  /// How the uses of a micro-batch come to the gradients of those before: their sum, as autograd's
  /// accumulation has it, or one by one, as Fast-LLM's buffers have it.
  enum class Accumulation : std::uint8_t { Sum, EachUse };

  /// The elements of the parameter at this position of `names`, on its device; they must outlive
  /// the set.
  using Source = std::function<at::Tensor(std::size_t, const ParameterFormat&)>;
  using Filter = std::function<bool(const std::string&)>;

  /// Makes the set; only parameters that `wantsGradient` accepts get a gradient.
  ParameterSet(std::vector<std::string> names,
               Source source,
               const Filter& wantsGradient,
               Accumulation accumulation = Accumulation::Sum);

  [[nodiscard]] bool has(const std::string& name) const { return m_index.contains(name); }
  /// Throws c10::Error: a network asks only for parameters that it declared. `isTransposed`:
  /// columns as rows, contiguous.
  [[nodiscard]] at::Tensor use(const std::string& name,
                               const SiteFormats& site,
                               bool isTransposed = false);
  /// Undefined when there is none, as at::linear() wants it.
  [[nodiscard]] at::Tensor useIfAny(const std::string& name, const SiteFormats& site);
  /// The rows of one parameter after those of another; undefined where these are not declared.
  [[nodiscard]] at::Tensor useJoined(const std::vector<std::string>& names,
                                     const SiteFormats& site);
  /// Gives what use() would, without counting as a use.
  [[nodiscard]] at::Tensor peek(const std::string& name, const SiteFormats& site) const {
    return m_source(indexOf(name), parameterFormat(site));
  }

  [[nodiscard]] const std::vector<std::string>& names() const { return m_names; }
  /// Hands out the gradient that the backward pass left for a parameter, and forgets it; undefined
  /// when there is none.
  [[nodiscard]] at::Tensor takeGradient(const std::string& name);
  /// Adds what the backward pass left to the gradient buffers, which takeGradient() gives, and
  /// forgets all uses: another micro-batch follows.
  void foldGradients();
  /// Forgets what a backward pass left, before another one over the same graph.
  void dropGradients();

 private:
  /// The rows of a leaf that are a parameter's.
  struct Part {
    std::size_t use = 0;
    std::int64_t firstRow = 0;
    std::int64_t rows = 0;
    bool isTransposed = false;
  };
  struct Use {
    at::Tensor leaf;
    PassFormats formats;  ///< of the backward pass
  };

  [[nodiscard]] std::size_t indexOf(const std::string& name) const;
  [[nodiscard]] at::Tensor addUse(const at::Tensor& elements,
                                  bool wantsGradient,
                                  const SiteFormats& site);

  std::vector<std::string> m_names;
  Source m_source;
  Accumulation m_accumulation;
  std::vector<bool> m_wanted;
  std::unordered_map<std::string, std::size_t> m_index;
  std::vector<Use> m_uses;
  std::vector<at::Tensor> m_folded;        ///< gradient buffers by parameter; empty: none folded
  std::vector<std::vector<Part>> m_parts;  ///< by parameter, in the order of the forward pass
};

}  // namespace ulp::engine
