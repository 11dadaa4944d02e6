#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QGuiApplication>

#include <filesystem>

namespace helio {

constexpr int TallestPicture = 16'000; ///< Maximum height in pixels that picture formats can hold.

/// A Qt application that needs no display. Suppresses Qt's warning about locales that are not UTF-8. At most one instance exists at a time.
class OffscreenApplication {
public:
    OffscreenApplication();

private:
    static int& prepare(int& count);

    int m_count = 1;
    char m_name[11] = "heliograph";
    char* m_arguments[2] = {m_name, nullptr};
    QGuiApplication m_app;
};

/// Writes a picture to a file, completely or not at all.
Status savePicture(const std::filesystem::path& path, const QByteArray& bytes);

} // namespace helio
