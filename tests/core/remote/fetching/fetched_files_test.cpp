#include "core/remote/fetching/fetched_files.h"

#include <fmt/format.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/remote/protocol/frame.h"
#include "tests/support/machine/environment_variable.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::remote {
namespace {

/// A host that calls every file by the name in {}.
constexpr const char* kHost = R"(#!/usr/bin/env python3
import json, struct, sys
out = sys.stdout.buffer
out.write(b"\nulpscope-serve\n")
while True:
    out.flush()
    sizes = sys.stdin.buffer.read(8)
    if len(sizes) < 8:
        break
    question = json.loads(sys.stdin.buffer.read(struct.unpack("<II", sizes)[0]))
    answer = {{"number": question["number"], "protocol": {}, "version": "", "machine": "",
              "path": "{}", "kind": "file", "size": 1, "stamp": "1-1.0-1"}}
    head, content = json.dumps(answer).encode(), b"x" if question["ask"] == "read" else b""
    out.write(struct.pack("<II", len(head), len(content)) + head + content)
)";

TEST(Fetch, PutsNothingElsewhereWhateverAHostCallsIt) {
  const test::TempDir folder;
  const auto fetched = [&folder](const char* destination, const std::string& name) {
    const auto ssh = folder.write("ssh", fmt::format(kHost, kProtocol, name));
    std::filesystem::permissions(ssh, std::filesystem::perms::owner_all);
    const test::EnvironmentVariable program("ULP_SSH", ssh.string());
    return fetch({.host = {destination}, .path = "a"}, {.cache = folder / "cache"});
  };
  const auto inside = fetched("honest", "/data/../data/a");
  ASSERT_TRUE(inside) << inside.error().message();
  EXPECT_EQ(*inside, folder / "cache/honest/data/a");
  const auto above = fetched("above", "/../../../escaped");
  ASSERT_TRUE(above) << above.error().message();
  EXPECT_EQ(*above, folder / "cache/above/escaped");
  const auto outside = fetched("outside", "../../escaped");
  ASSERT_FALSE(outside);
  EXPECT_EQ(outside.error().code(), ErrorCode::CorruptData);
  EXPECT_FALSE(std::filesystem::exists(folder / "escaped"));
}

}  // namespace
}  // namespace ulp::remote
