#include "core/remote/ssh/ssh_process.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/remote/ssh/connection.h"

namespace ulp::remote {
namespace {

constexpr int kFailed = 255;

TEST(SshProblem, SaysWhatHelpsAndWhetherAnotherTryMay) {
  const Host host{"gpubox"};
  const auto of = [&](int code, const char* said) { return sshProblem(host, code, said); };
  EXPECT_EQ(of(kFailed, "Host key verification failed.\r\n").code(), ErrorCode::InvalidArgument);
  EXPECT_NE(of(kFailed, "Host key verification failed.").message().find("`ssh gpubox`"),
            std::string::npos);
  EXPECT_EQ(of(kFailed, "ssh: connect to host x port 22: Connection refused").code(),
            ErrorCode::Io);
  EXPECT_EQ(of(kFailed, "").message(), "gpubox: the connection was lost");
  EXPECT_EQ(of(kNoProgramCode, "").code(), ErrorCode::NotFound);
  EXPECT_NE(of(kNoProgramCode, "").message().find("--install"), std::string::npos);
  EXPECT_EQ(of(139, "Segmentation fault").message(),
            "gpubox: ulpscope-cli ended there with exit code 139: Segmentation fault");
}

TEST(SshProcessWords, NameTheHostBehindAllOptions) {
  const auto words = SshProcess::words({"gpubox"}, "command", Packing::AsItIs);
  ASSERT_GE(words.size(), 3U);
  EXPECT_EQ(std::vector(words.end() - 3, words.end()),
            (std::vector<std::string>{"--", "gpubox", "command"}));
  EXPECT_NE(std::ranges::find(words, "Compression=no"), words.end());
}

TEST(SshProcessWords, QuoteTheProgram) {
  const std::string command = serveCommand("/opt/it's/ulpscope-cli");
  EXPECT_TRUE(command.starts_with("exec sh -c '"));
  EXPECT_EQ(command.find("it's"), std::string::npos);
}

}  // namespace
}  // namespace ulp::remote
