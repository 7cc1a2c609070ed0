#pragma once

#include <filesystem>

#include "core/base/files/file_descriptor.h"
#include "core/base/result.h"

namespace ulp {

/// Both ends of a pipe, which programs that are started have only where they are handed them.
struct Pipe {
  FileDescriptor reading;
  FileDescriptor writing;
};

/// `user` is whom it is for, in messages. Error: Io.
[[nodiscard]] Result<Pipe> makePipe(const std::filesystem::path& user);

}  // namespace ulp
