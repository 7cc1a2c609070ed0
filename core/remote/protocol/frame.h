#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/json/value.h"

/// What two Ulpscopes say to each other through ssh: frames of JSON and bytes, in both directions
/// (docs/decisions/remote.md).
namespace ulp::remote {

/// Of the meaning of frames. Both sides must have the same.
inline constexpr int kProtocol = 4;
/// What the program on the host writes first: what its shell said before is passed over.
inline constexpr std::string_view kGreeting = "\nulpscope-serve\n";

/// Bytes of one frame; larger things are sent in several.
inline constexpr std::size_t kLargestHead = std::size_t{16} << 20;
inline constexpr std::size_t kLargestBytes = std::size_t{64} << 20;
/// Of files and tensors that go through in pieces.
inline constexpr std::size_t kPiece = std::size_t{256} << 10;

struct Frame {
  json::Value head;   ///< an object
  std::string bytes;  ///< a part of a file or tensor; empty: none
};

/// As it goes through ssh.
[[nodiscard]] std::string encoded(const Frame& frame);

/// Cuts a stream into frames, whatever its pieces.
class FrameReader {
 public:
  void feed(std::string_view bytes) { m_pending += bytes; }
  /// The next frame that is complete; nothing: more bytes are needed. Error: CorruptData (too
  /// large, no JSON object), after which the stream is of no use.
  [[nodiscard]] Result<std::optional<Frame>> next();

 private:
  std::string m_pending;
  std::size_t m_taken = 0;  ///< of m_pending
};

/// An answer that tells of an error, and back.
[[nodiscard]] Frame errorFrame(const Error& error);
[[nodiscard]] std::optional<Error> errorOf(const Frame& frame);

}  // namespace ulp::remote
