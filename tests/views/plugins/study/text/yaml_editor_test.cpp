#include "views/plugins/study/text/yaml_editor.h"

#include <gtest/gtest.h>

#include <QtGui/QTextBlock>
#include <QtGui/QTextLayout>

namespace ulp::views {
namespace {

/// What of a line is shown as keys.
QStringList keysOf(const QString& line) {
  YamlEditor editor;
  editor.setTheme(lightTheme());
  editor.showText(line);
  const QTextBlock block = editor.document()->firstBlock();
  QStringList keys;
  for (const QTextLayout::FormatRange& range : block.layout()->formats()) {
    if (range.format.foreground().color() == lightTheme().palette.color(QPalette::Link)) {
      keys << block.text().mid(range.start, range.length);
    }
  }
  return keys;
}

TEST(YamlEditor, SetsKeysApart) {
  EXPECT_EQ(keysOf(QStringLiteral("model:")), QStringList{QStringLiteral("model")});
  EXPECT_EQ(keysOf(QStringLiteral("  a.b-c/d_1 : {x: 1, y:2, z: 'q'}  # k: v")),
            (QStringList{QStringLiteral("a.b-c/d_1"), QStringLiteral("x"), QStringLiteral("z")}));
  EXPECT_TRUE(keysOf(QStringLiteral("http://host : ")).contains(QStringLiteral("//host")));
  EXPECT_TRUE(keysOf(QStringLiteral(" : ")).isEmpty());
  EXPECT_TRUE(keysOf(QStringLiteral("no key")).isEmpty());
}

}  // namespace
}  // namespace ulp::views
