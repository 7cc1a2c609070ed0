#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/dtype.h"
#include "core/base/result.h"
#include "core/json/value.h"
#include "core/remote/captures/tile_file.h"
#include "core/remote/ssh/session.h"
#include "core/tensors/archive/tensor_archive.h"
#include "core/tensors/archive/tensor_parts.h"

namespace ulp::remote {

/// Bytes that are asked for at once.
inline constexpr std::uint64_t kTile = std::uint64_t{4} << 20;
/// Bytes of tensors that are kept here of all hosts.
inline constexpr std::uint64_t kMostKeptTensors = std::uint64_t{4} << 30;

/// What is asked of the host for pieces of a tensor's bytes: the members of the question.
struct TensorAddress {
  std::shared_ptr<Session> session;
  json::Object question{};  ///< whose tensor it is: with what TensorShelf finds it
  std::string place{};      ///< for messages
};

/// A tensor on a host. Its bytes come in blocks, as they are asked for, and stay in the cache.
class RemoteTensor final : public tensors::TensorParts {
 public:
  /// `name` tells the tensor, and its state, from all others. Those that are open already are
  /// shared. Errors: NotFound, the user has no home; Io.
  [[nodiscard]] static Result<std::shared_ptr<RemoteTensor>> open(TensorAddress address,
                                                                  const std::string& name,
                                                                  DType dtype,
                                                                  std::vector<std::int64_t> shape);

  /// Whose parts come when they are asked for.
  [[nodiscard]] static Result<tensors::Tensor> look(std::shared_ptr<RemoteTensor> tensor);
  /// All of it, after all came. The meter of the work tells how far that is.
  [[nodiscard]] static Result<tensors::Tensor> read(std::shared_ptr<RemoteTensor> tensor);

  /// Whether both are reached through the same connection.
  [[nodiscard]] bool isOnHostOf(const RemoteTensor& other) const {
    return m_address.session == other.m_address.session;
  }
  /// With what the host finds it.
  [[nodiscard]] const json::Object& address() const { return m_address.question; }
  /// Asks the host something of this tensor. An error that is not Unsupported is problem(), too.
  [[nodiscard]] Result<Frame> askHost(json::Object question) const;

  [[nodiscard]] bool has(const tensors::ElementGrid& wanted) const override;
  [[nodiscard]] Result<> bring(const tensors::ElementGrid& wanted) const override;
  [[nodiscard]] std::uint64_t missingBytes(const tensors::ElementGrid& wanted) const override;
  [[nodiscard]] Result<std::vector<std::byte>> pick(
      const tensors::ElementGrid& wanted) const override;
  [[nodiscard]] std::optional<Error> problem() const override;

 private:
  using Blocks = std::vector<std::uint64_t>;  ///< in order
  struct Picked {
    tensors::ElementGrid grid;
    std::vector<std::byte> bytes;
  };

  RemoteTensor(TensorAddress address, DType dtype, std::vector<std::int64_t> shape);
  [[nodiscard]] Result<tensors::Tensor> shown() const;
  [[nodiscard]] Blocks missing(const tensors::ElementGrid& wanted) const;
  void readOn(Blocks& blocks) const;
  [[nodiscard]] Result<> fetch(const Blocks& blocks) const;
  [[nodiscard]] Result<> fetchPieces(const std::vector<std::int64_t>& pieces,
                                     std::uint64_t size) const;
  [[nodiscard]] Result<std::vector<std::byte>> fetchPicked(
      const tensors::ElementGrid& wanted) const;
  [[nodiscard]] Result<Frame> ask(std::string_view what, const json::Object& more) const;
  /// Remembers why something did not come.
  [[nodiscard]] tl::unexpected<Error> noted(Error error) const;

  TensorAddress m_address;
  DType m_dtype;
  std::vector<std::int64_t> m_shape;
  std::uint64_t m_count = 0;
  std::unique_ptr<TileFile> m_file;
  std::filesystem::path m_cache;
  mutable std::mutex m_fetching;
  mutable std::uint64_t m_sinceSwept = 0;
  mutable std::deque<Picked> m_picked;  ///< the newest first
  mutable std::mutex m_telling;
  mutable std::optional<Error> m_problem;
};

}  // namespace ulp::remote
