#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/compat/msit/inputs.h"
#include "core/compat/msit/report_table.h"
#include "core/dumps/msit/pairing.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::compat::msit {

/// What could not be compared, in the order in which it was met. Levels, depths and nodes meet in
/// the same file, which is told once.
class Failures {
 public:
  void add(Error error) {
    if (m_told.insert(std::string(error.message())).second) {
      m_all.push_back(std::move(error));
    }
  }
  [[nodiscard]] const std::vector<Error>& all() const { return m_all; }

 private:
  std::vector<Error> m_all;
  std::set<std::string> m_told;
};

/// What of both sides is compared with what: a token, and with it for every device the same one.
struct TokenPair {
  const dumps::msit::TokenFolder* golden = nullptr;
  const dumps::msit::TokenFolder* my = nullptr;
};
/// Those that both have; where each path names one, these. Error: InvalidArgument where there are
/// none.
[[nodiscard]] Result<std::vector<TokenPair>> commonTokens(const Side& golden, const Side& my);

/// Calls `compare(token, nodes)` for all pairs of nodes of one token after the other. Error:
/// Cancelled.
template <class Compare>
Result<> eachPair(const std::vector<TokenPair>& tokens,
                  const std::vector<dumps::msit::NodePair>& pairs,
                  const std::stop_token& stop,
                  const dumps::Progress& progress,
                  const Compare& compare) {
  std::uint64_t done = 0;
  for (const TokenPair& token : tokens) {
    for (const dumps::msit::NodePair& nodes : pairs) {
      if (stop.stop_requested()) {
        return fail(ErrorCode::Cancelled, "comparison cancelled");
      }
      compare(token, nodes);
      if (progress) {
        progress(++done, tokens.size() * pairs.size());
      }
    }
  }
  return {};
}

/// Files of a pair of nodes that are compared with each other.
struct FilePair {
  std::filesystem::path golden;
  std::filesystem::path my;
};
[[nodiscard]] std::vector<FilePair> eachWithEach(const std::vector<std::filesystem::path>& golden,
                                                 const std::vector<std::filesystem::path>& my);
struct FilePairs {
  std::vector<FilePair> pairs;
  /// Length of the sequence, of rotary embeddings alone, from their last input.
  std::optional<std::int64_t> sequenceLength{};
};
/// One with one in order where there are equally many, else each with each.
[[nodiscard]] FilePairs filePairs(const Side& golden,
                                  const Side& my,
                                  const TokenPair& token,
                                  const dumps::msit::NodePair& nodes);

/// A comparison of two dumps while it goes on.
class ReportRun {
 public:
  ReportRun(const Side& golden, const Side& my, std::vector<TokenPair> tokens)
      : m_golden(golden), m_my(my), m_tokens(std::move(tokens)) {}

  /// Rows of these pairs over all tokens. A file that cannot be read becomes a failure, and the
  /// rest is compared. Error: Cancelled.
  [[nodiscard]] Result<std::vector<ReportRow>> compare(
      const std::vector<dumps::msit::NodePair>& pairs,
      const std::stop_token& stop,
      const dumps::Progress& progress);
  [[nodiscard]] const std::vector<Error>& failures() const { return m_failures.all(); }

 private:
  void compareNodes(const TokenPair& token,
                    const dumps::msit::NodePair& nodes,
                    std::vector<ReportRow>& rows);
  [[nodiscard]] Result<ReportRow> compareFiles(const FilePair& files,
                                               const std::optional<std::int64_t>& sequenceLength);

  const Side& m_golden;
  const Side& m_my;
  std::vector<TokenPair> m_tokens;
  Failures m_failures;
  std::uint64_t m_nextId = 0;
};

// Parts of ReportRun::compare(): what msit does with the tensors of several devices, and with
// tables of rotary embeddings.

/// The dimension along which `own` must be joined to be as large as `other`: the first where both
/// sides have the same size in all while one tensor of each differs, or where that of `own` in all
/// is one of `other`. Nothing: none.
[[nodiscard]] std::optional<std::size_t> joinDimension(const std::vector<tensors::Tensor>& own,
                                                       const std::vector<tensors::Tensor>& other);

/// Error: InvalidArgument where types, or other dimensions, differ; OutOfMemory.
[[nodiscard]] Result<tensors::Tensor> joined(const std::vector<tensors::Tensor>& parts,
                                             std::size_t dimension);

/// `tensor[…, index, …]`: without `dimension`, of which `index` is an element. It may share the
/// tensor's memory. Error: OutOfMemory.
[[nodiscard]] Result<tensors::Tensor> selected(const tensors::Tensor& tensor,
                                               std::size_t dimension,
                                               std::size_t index);

/// The row of a table of cosines (`half` 0) or sines (1) that token `length` is given.
[[nodiscard]] Result<tensors::Tensor> rotaryRow(const tensors::Tensor& table,
                                                std::int64_t length,
                                                std::size_t half);

/// Takes every other column of a single row whose neighbours are equal in pairs; else the tensor
/// itself.
[[nodiscard]] Result<tensors::Tensor> withoutRepeatedColumns(const tensors::Tensor& tensor);

}  // namespace ulp::compat::msit
