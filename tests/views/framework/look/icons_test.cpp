#include "views/framework/look/icons.h"

#include <gtest/gtest.h>

#include <QtCore/QDir>
#include <QtGui/QPainter>
#include <QtGui/QPixmap>

#include "views/framework/look/theme_manager.h"

namespace ulp::views {
namespace {

/// Colour of the strongest pixel.
QColor ink(const QString& name) {
  const QImage image = themedIcon(name).pixmap(32, 32).toImage();
  QColor darkest(Qt::transparent);
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      const QColor pixel = image.pixelColor(x, y);
      darkest = pixel.alpha() > darkest.alpha() ? pixel : darkest;
    }
  }
  return darkest;
}

TEST(ThemedIcon, EveryIconDrawsSomethingInTheTextColour) {
  ThemeManager themes;
  const QStringList files = QDir(QStringLiteral(":/icons")).entryList();
  EXPECT_GE(files.size(), 20);
  for (const auto choice : {ThemeChoice::Dark, ThemeChoice::Light}) {
    themes.setChoice(choice);
    for (const QString& file : files) {
      const QColor color = ink(QString(file).remove(QStringLiteral(".svg")));
      EXPECT_EQ(color.rgb(), themes.theme().palette.color(QPalette::ButtonText).rgb())
          << file.toStdString();
    }
  }
}

TEST(ThemedIcon, AnUnknownNameIsNull) {
  EXPECT_TRUE(themedIcon(QStringLiteral("no-such-icon")).isNull());
}

TEST(ThemedIcon, IsSharpAtTwiceTheSize) {
  const QPixmap pixmap = themedIcon(QStringLiteral("open")).pixmap(QSize(24, 24), 2.0);
  EXPECT_EQ(pixmap.size(), QSize(48, 48));
}

}  // namespace
}  // namespace ulp::views
