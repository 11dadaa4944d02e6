#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QGuiApplication>

#include <filesystem>
#include <optional>

namespace helio {

constexpr int TallestPicture = 16'000; ///< Maximum height in pixels that picture formats can hold.

/// A Qt application that needs no display; nothing if the program already has an application. Suppresses Qt's warning about locales that
/// are not UTF-8.
class OffscreenApplication {
public:
    OffscreenApplication();

private:
    static int& prepare(int& count);

    int m_count = 1;
    char m_name[11] = "heliograph";
    char* m_arguments[2] = {m_name, nullptr};
    std::optional<QGuiApplication> m_app; ///< nullopt if the program already has an application, e.g. that of its window.
};

/// Writes a picture to a file, completely or not at all; with an OutputRedirection, passes it to the receiver instead.
/// Errors: Full if `bytes` is empty, which means that the picture could not be drawn; Unreadable if the file cannot be written.
Status savePicture(const std::filesystem::path& path, const QByteArray& bytes);

} // namespace helio
