#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ulp {

enum class ErrorCode : std::uint8_t {
  InvalidArgument,  ///< the caller or the user asked for something impossible
  NotFound,         ///< a file, key, tensor or device does not exist
  CorruptData,      ///< a file contradicts itself or its format
  Io,               ///< the operating system refused to read or write
  Unsupported,      ///< understood, but this build or version cannot do it
  OutOfMemory,
  Device,     ///< a CUDA device failed
  Cancelled,  ///< the user stopped the work; what was finished is kept
  Internal,   ///< a defect of Ulpscope
  RunFailed   ///< runs of a study failed, each by an error of its own
};

std::string_view toString(ErrorCode code);
/// The code that toString() gives this name; nothing: none.
[[nodiscard]] std::optional<ErrorCode> errorCodeNamed(std::string_view name);

/// What went wrong, where, and what the user can do. Cheap to move, comparable by code.
/// Messages name the file and place first: `model.safetensors: tensor 'x': offset 12 lies beyond
/// …`.
class Error {
 public:
  Error(ErrorCode code, std::string message) : m_code(code), m_message(std::move(message)) {}

  [[nodiscard]] ErrorCode code() const { return m_code; }
  [[nodiscard]] const std::string& message() const { return m_message; }
  /// Tells whether whatever would come next ends in the same way: Cancelled, OutOfMemory. Of many
  /// pieces of work, any other error costs its piece alone.
  [[nodiscard]] bool endsWork() const {
    return m_code == ErrorCode::Cancelled || m_code == ErrorCode::OutOfMemory;
  }
  /// Prefixes the message with what the caller was doing.
  [[nodiscard]] Error whileDoing(std::string_view action) &&;

 private:
  ErrorCode m_code;
  std::string m_message;
};

/// Says what the exception means that is being handled, for catch blocks: OutOfMemory with the
/// remedy, Io where the system refused something, else Internal.
[[nodiscard]] Error caughtError();

/// Says why a call of the system failed, by its errno: Io with `path: what: reason`, and what
/// the user can do where that is known.
[[nodiscard]] Error systemError(const std::filesystem::path& path,
                                std::string_view what,
                                int number);

}  // namespace ulp
