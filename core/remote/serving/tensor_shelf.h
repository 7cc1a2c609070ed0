#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/remote/protocol/frame.h"
#include "core/tensors/store/capture_reader.h"

namespace ulp::remote {

/// The run folders on this host whose tensors somebody elsewhere looks at, and the tensors that
/// were looked at last. For one thread.
class TensorShelf {
 public:
  /// The captures of a folder as JSON in the bytes of the answer, with the stamp of the folder's
  /// file. Errors: those of CaptureReader::open().
  [[nodiscard]] Result<Frame> captures(const std::filesystem::path& folder);
  /// A capture, by its place in that list. Errors: InvalidArgument, the folder has another stamp by
  /// now; those of CaptureReader::read().
  [[nodiscard]] Result<tensors::Tensor> tensor(const std::filesystem::path& folder,
                                               const json::Value& question);

 private:
  struct Opened {
    std::filesystem::path folder;
    std::string stamp;
    std::shared_ptr<const tensors::CaptureReader> reader;
  };
  struct Held {
    std::shared_ptr<const tensors::CaptureReader> reader;
    std::uint64_t index = 0;
    tensors::Tensor tensor;
  };

  [[nodiscard]] Result<Opened> open(const std::filesystem::path& folder);

  std::deque<Opened> m_opened;  ///< the newest first
  std::deque<Held> m_held;      ///< as these
};

/// Parts of a tensor's bytes, one behind the other, as RemoteTensor asks for them: `pieces` holds
/// the offset and size of each. Error: InvalidArgument.
[[nodiscard]] Result<Frame> piecesOf(const tensors::Tensor& tensor, const json::Value& question);
/// Elements of a tensor, as an ElementGrid names them. Error: InvalidArgument.
[[nodiscard]] Result<Frame> pickedOf(const tensors::Tensor& tensor, const json::Value& question);

/// How a list of captures goes through, and back.
[[nodiscard]] std::string capturesText(const tensors::CaptureReader& reader);
struct ListedCaptures {
  std::vector<tensors::StoredCapture> captures;
  std::vector<Error> problems;
};
/// Error: CorruptData.
[[nodiscard]] Result<ListedCaptures> capturesIn(std::string_view text);

}  // namespace ulp::remote
