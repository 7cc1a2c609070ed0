#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/engine/engine.h"
#include "core/tensors/formats/safetensors/safetensors.h"
#include "tests/support/data/fixture_case.h"
#include "tests/support/machine/content_of.h"

namespace ulp::engine {

/// A stored run of Fast-LLM: its inputs, and the tensors and numbers that it made of them.
class FastLlmCase {
 public:
  explicit FastLlmCase(const std::string& name) : m_folder(test::fixture("fastllm/" + name)) {}

  /// As the case stores it: a tensor of inputs, prepared_inputs or full_<run>.
  [[nodiscard]] at::Tensor tensor(const std::string& file, const std::string& name) const {
    const auto archive = tensors::openSafetensors(m_folder / (file + ".safetensors")).value();
    const tensors::Tensor stored = archive->read(name).value();
    const at::Tensor copy = at::empty(stored.view.shape, typeOf(stored.view.dtype));
    std::memcpy(copy.mutable_data_ptr(), stored.view.data, stored.view.sizeBytes());
    return copy;
  }

  template <class Number>
  [[nodiscard]] std::vector<Number> numbers(const std::string& file,
                                            const std::string& name) const {
    const at::Tensor values = tensor(file, name).to(c10::CppTypeToScalarType<Number>::value);
    const auto* data = values.const_data_ptr<Number>();
    return {data, data + values.numel()};
  }

  /// The inputs as a batch of one packed sequence.
  [[nodiscard]] TokenBatch tokens(bool policy) const {
    TokenBatch batch;
    batch.ids = numbers<std::int64_t>("inputs", "tokens");
    const auto width = static_cast<std::int64_t>(batch.ids.size());
    batch.length = width - 1;
    batch.documents.lengths = numbers<std::int64_t>("inputs", "lengths");
    if (has("inputs", "unpadded_length")) {
      batch.documents.padding = width - numbers<std::int64_t>("inputs", "unpadded_length").front();
    }
    if (batch.documents.padding > 0) {
      batch.documents.lengths.pop_back();
    }
    const auto spans = has("inputs", "spans") ? numbers<std::int64_t>("inputs", "spans")
                                              : std::vector<std::int64_t>();
    for (std::size_t i = 0; i < spans.size(); i += 2) {
      batch.documents.unlabelled.emplace_back(spans[i], spans[i + 1]);
    }
    if (policy) {
      batch.policy.advantages = numbers<float>("inputs", "advantages");
      batch.policy.oldLogProbabilities = numbers<float>("inputs", "old_log_probabilities");
    }
    return batch;
  }

  [[nodiscard]] nlohmann::json expected() const {
    // Python writes NaN, which JSON does not have.
    return nlohmann::json::parse(std::regex_replace(
        test::contentOf(m_folder / "expected.json"), std::regex(": -?(NaN|Infinity)"), ": null"));
  }

 private:
  [[nodiscard]] bool has(const std::string& file, const std::string& name) const {
    const auto archive = tensors::openSafetensors(m_folder / (file + ".safetensors")).value();
    return archive->read(name).has_value();
  }

  static at::ScalarType typeOf(DType dtype) {
    switch (dtype) {
      case DType::Float32:
        return at::kFloat;
      case DType::BFloat16:
        return at::kBFloat16;
      case DType::Int32:
        return at::kInt;
      case DType::Int64:
        return at::kLong;
      default:
        ADD_FAILURE() << "a fixture of another type: " << toString(dtype);
        std::abort();
    }
  }

  std::filesystem::path m_folder;
};

}  // namespace ulp::engine
