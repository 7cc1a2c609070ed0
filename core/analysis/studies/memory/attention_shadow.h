#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/analysis/studies/memory/site_shadow.h"

namespace ulp::analysis {

/// How attention uses memory on a CUDA device.
enum class AttentionWay : std::uint8_t {
  Eager,   ///< scores and softmax, one after another
  Backup,  ///< the same in Fast-LLM, whose queries of a group stand below each other
  Plain,   ///< LibTorch's math kernel: as Eager in float32, and a second copy of the softmax
  Fused    ///< a fused kernel
};

/// What attention reads, or its gradients.
struct AttentionTensors {
  MemoryTensor query, key, value;
};

/// What core/engine/network/attention.cpp leaves for the backward pass.
struct AttentionSaved {
  DType queryType = DType::Float32;
  DType keyType = DType::Float32;
  DType valueType = DType::Float32;
  MemoryTensor query, key, value;
  MemoryTensor softmax;  ///< or the logarithm of its sum
  MemoryTensor weights;  ///< as the product with the values reads them
  MemoryTensor bias;     ///< of what is masked
  MemoryTensor output;   ///< that the kernel keeps
  SplitInputs inputs;
};

/// Attention of a layer in one pass.
class AttentionShadow {
 public:
  /// `path`: of its module.
  AttentionShadow(const SiteShadow& site, const std::string& path);

  [[nodiscard]] MemoryTensor attend(const AttentionTensors& read, AttentionSaved& saved);
  /// The gradients of what it read.
  [[nodiscard]] AttentionTensors backward(MemoryTensor gradient, AttentionSaved& saved);

 private:
  using Operation = numerics::Operation;

  [[nodiscard]] AttentionWay way() const;
  [[nodiscard]] MemoryTensor eager(AttentionTensors& read, AttentionSaved& own);
  [[nodiscard]] MemoryTensor backup(const AttentionTensors& read, AttentionSaved& own);
  [[nodiscard]] MemoryTensor plain(const AttentionTensors& read, AttentionSaved& own);
  [[nodiscard]] MemoryTensor fused(const AttentionTensors& read, AttentionSaved& own);
  [[nodiscard]] AttentionTensors eagerBackward(MemoryTensor& gradient, AttentionSaved& saved);
  [[nodiscard]] AttentionTensors plainBackward(MemoryTensor& gradient, AttentionSaved& saved);
  [[nodiscard]] AttentionTensors fusedBackward(MemoryTensor& gradient, AttentionSaved& saved);

  /// As LibTorch's kernels read them.
  [[nodiscard]] AttentionTensors castForKernel(const AttentionTensors& read);
  /// What is added to the scores where a kernel of LibTorch is given a mask.
  [[nodiscard]] MemoryTensor bias() const;
  /// The softmax of scores, as it is kept and as the values are multiplied by it.
  void soften(const MemoryTensor& scores, AttentionSaved& own);
  void showPairs(Pass pass, std::string_view name, const MemoryTensor& pairs) const;
  [[nodiscard]] MemoryTensor pairs(DType type) const { return m_run.make(m_pairs, type); }
  [[nodiscard]] MemoryTensor queries(DType type) const { return m_run.make(m_queries, type); }
  /// Of as many heads as queries have.
  [[nodiscard]] MemoryTensor everyKey(DType type) const { return m_run.make(m_everyKey, type); }
  [[nodiscard]] MemoryTensor keys(DType type) const { return m_run.make(m_keys, type); }
  /// The type in which LibTorch's math kernel computes.
  [[nodiscard]] DType plainType() const;

  const SiteShadow& m_site;
  RunShadow& m_run;
  std::string m_path;
  DType m_compute;
  bool m_isGrouped;      ///< fewer keys than queries
  bool m_repeatsBefore;  ///< keys and values are made as many as queries for the kernel
  bool m_repeatsInside;  ///< by the math kernel
  AttentionWay m_way;
  std::uint64_t m_queries, m_everyKey, m_keys;  ///< numbers
  std::uint64_t m_pairs;                        ///< queries × keys × heads, of all sequences
};

}  // namespace ulp::analysis
