#pragma once

#include <functional>

#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtCore/QStringList>

namespace ulp::views {

class Background;

/// What every list of devices offers a study first: auto, cpu, cuda, cuda:all.
[[nodiscard]] QStringList usualDevices();

/// Asks the driver in the background for the CUDA devices that a study can run on. `offer` is
/// called for one after the other: its name in studies ("cuda:0"), and that with what it is, where
/// that is known ("cuda:0 (NVIDIA H200)"). It is never called once `receiver` has died.
void offerCudaDevices(Background& background,
                      QObject* receiver,
                      std::function<void(const QString& device, const QString& text)> offer);

}  // namespace ulp::views
