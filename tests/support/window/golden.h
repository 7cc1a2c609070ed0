#pragma once

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtCore/QString>
#include <QtGui/QImage>

namespace ulp::test {

/// The part of pixels that differ by more than `channel` in one channel; 1 when sizes differ.
inline double differingPart(const QImage& a, const QImage& b, int channel) {
  if (a.size() != b.size() || a.isNull()) {
    return 1;
  }
  const QImage left = a.convertToFormat(QImage::Format_RGB32);
  const QImage right = b.convertToFormat(QImage::Format_RGB32);
  long differing = 0;
  for (int y = 0; y < left.height(); ++y) {
    for (int x = 0; x < left.width(); ++x) {
      const QRgb p = left.pixel(x, y);
      const QRgb q = right.pixel(x, y);
      const int most = std::max({std::abs(qRed(p) - qRed(q)),
                                 std::abs(qGreen(p) - qGreen(q)),
                                 std::abs(qBlue(p) - qBlue(q))});
      differing += most > channel ? 1 : 0;
    }
  }
  return static_cast<double>(differing) / (static_cast<double>(left.width()) * left.height());
}

/// With a pixel for each `size` × `size` of the picture: text becomes a grey that hardly depends on
/// the font, while what is missing, elsewhere, or of another colour still stands out.
inline QImage blurred(const QImage& image, int size) {
  return image.scaled(
      image.width() / size, image.height() / size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
}

/// Compares the layout of a picture with much text with the picture `file` of the repository: what
/// remains of both when they are seen from afar. Up to `tolerance` of the places may differ.
/// Written anew as by expectGolden().
inline void expectGoldenLayout(const QImage& image, const QString& file, double tolerance) {
  constexpr int kPlace = 8;
  constexpr int kChannel = 16;
  if (qEnvironmentVariableIsSet("ULP_UPDATE_GOLDEN")) {
    QDir().mkpath(QFileInfo(file).absolutePath());
    ASSERT_TRUE(image.save(file)) << file.toStdString();
    FAIL() << "written: " << file.toStdString();
  }
  const QImage golden(file);
  ASSERT_FALSE(golden.isNull()) << "missing: " << file.toStdString();
  ASSERT_EQ(image.size(), golden.size()) << file.toStdString();
  const double part = differingPart(blurred(image, kPlace), blurred(golden, kPlace), kChannel);
  if (part > tolerance) {
    const QString seen =
        QDir::temp().filePath(QStringLiteral("seen_") + QFileInfo(file).fileName());
    image.save(seen);
    ADD_FAILURE() << part << " of the places differ from " << file.toStdString()
                  << "; seen: " << seen.toStdString();
  }
}

/// Compares with the picture `file` of the repository. Fonts differ from machine to machine, so up
/// to `tolerance` of the pixels may differ. With ULP_UPDATE_GOLDEN=1 the file is written anew, and
/// the test fails so that nobody forgets to look at it.
inline void expectGolden(const QImage& image, const QString& file, double tolerance) {
  if (qEnvironmentVariableIsSet("ULP_UPDATE_GOLDEN")) {
    QDir().mkpath(QFileInfo(file).absolutePath());
    ASSERT_TRUE(image.save(file)) << file.toStdString();
    FAIL() << "written: " << file.toStdString();
  }
  const QImage golden(file);
  ASSERT_FALSE(golden.isNull()) << "missing: " << file.toStdString();
  const double part = differingPart(image, golden, 24);
  if (part > tolerance) {
    const QString seen =
        QDir::temp().filePath(QStringLiteral("seen_") + QFileInfo(file).fileName());
    image.save(seen);
    ADD_FAILURE() << part << " of the pixels differ from " << file.toStdString()
                  << "; seen: " << seen.toStdString();
  }
}

}  // namespace ulp::test
