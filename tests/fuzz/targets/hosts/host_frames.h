#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>

#include "core/json/dump.h"
#include "core/remote/mirror/run_mirror.h"
#include "core/remote/protocol/frame.h"
#include "core/remote/protocol/mirrored_files.h"
#include "core/remote/protocol/numbers.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// Only what may be mirrored came of the frames, each of which says no more than its size.
inline void checkMirrored(const std::filesystem::path& folder, std::size_t size) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    require(name == remote::kFinalFile || std::ranges::count(remote::kReplacedFiles, name) > 0 ||
            std::ranges::count(remote::kAppendedFiles, name) > 0);
    require(entry.file_size() <= size);
    std::filesystem::remove(entry.path());
  }
}

/// What a host sends while a study runs there: cut into frames, and kept in a folder here.
inline void fuzzHostFrames(const std::uint8_t* data, std::size_t size) {
  static const FuzzFolder above;
  static const std::filesystem::path folder = above.path() / "run";
  std::filesystem::create_directory(folder);
  const std::string_view input = fuzzText(data, size);
  remote::FrameReader frames;
  frames.feed(input.substr(0, size / 2));
  bool isHalf = true;
  {
    remote::RunMirror mirror(folder);
    while (true) {
      auto frame = frames.next();
      if (!frame) {
        require(!frame.error().message().empty());
        break;
      }
      if (!*frame && isHalf) {
        frames.feed(input.substr(size / 2));
        isHalf = false;
        continue;
      }
      if (!*frame) {
        break;
      }
      remote::FrameReader again;
      again.feed(remote::encoded(**frame));
      const auto same = again.next();
      require(same && *same && (*same)->bytes == (*frame)->bytes &&
              json::dump((*same)->head) == json::dump((*frame)->head));
      static_cast<void>(remote::errorOf(**frame));
      remote::Numbers numbers((*frame)->bytes);
      require(numbers.count() <= (*frame)->bytes.size() / sizeof(std::uint64_t));
      const auto taken = mirror.take(std::move(**frame));
      require(taken || !taken.error().message().empty());
    }
  }
  checkMirrored(folder, size);
  require(std::distance(std::filesystem::directory_iterator(above.path()), {}) == 1);
}

}  // namespace ulp::test
