#include "core/remote/hosts/host.h"

#include <gtest/gtest.h>

namespace ulp::remote {
namespace {

TEST(RemoteHost, TakesWhatSshTakes) {
  for (const char* name : {"gpubox",
                           "user@gpubox",
                           "DOMAIN\\user@gpu-01.example.org",
                           "10.0.0.7",
                           "ssh://user@gpubox:2222",
                           "[::1]",
                           "bücher"}) {
    const auto host = parseHost(name);
    ASSERT_TRUE(host) << name << ": " << host.error().message();
    EXPECT_EQ(host->destination, name);
  }
  EXPECT_EQ(parseHost("ssh://gpubox/")->destination, "ssh://gpubox");
}

TEST(RemoteHost, RefusesWhatSshWouldTakeForAnOptionAndWhatNoNameIs) {
  for (const char* name : {"",
                           "-oProxyCommand=x",
                           "ssh://-oProxyCommand=x",
                           "user@-oProxyCommand=x",
                           "user@",
                           "@gpubox",
                           "two words",
                           "a;b",
                           "$(x)",
                           "`x`",
                           "a\nb",
                           "gpubox/path",
                           "ssh://gpubox/path"}) {
    EXPECT_EQ(parseHost(name).error().code(), ErrorCode::InvalidArgument) << name;
  }
}

TEST(RemoteHost, ReadsAddressesOfFiles) {
  const auto at = [](const char* text) { return parseLocation(text).value(); };
  EXPECT_EQ(at("ssh://gpubox/data/run 1").host.destination, "gpubox");
  EXPECT_EQ(at("ssh://gpubox/data/run 1").path, "/data/run 1");
  EXPECT_EQ(at("ssh://me@gpubox:2222/data").host.destination, "ssh://me@gpubox:2222");
  EXPECT_EQ(at("ssh://gpubox/~/runs/tiny").path, "runs/tiny");
  EXPECT_EQ(at("ssh://gpubox/~").path, "");
  EXPECT_EQ(at("ssh://gpubox").path, "");
  EXPECT_EQ(at("ssh://gpubox/~other/x").path, "/~other/x");
  for (const char* text :
       {"ssh://gpubox/data/run 1", "ssh://me@gpubox:2222/data", "ssh://gpubox/~/x"}) {
    EXPECT_EQ(toText(at(text)), text);
  }
  EXPECT_FALSE(isLocation("/data/run"));
  EXPECT_EQ(parseLocation("ssh:///data").error().code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(parseLocation("/data").error().code(), ErrorCode::InvalidArgument);
}

}  // namespace
}  // namespace ulp::remote
