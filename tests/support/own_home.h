#pragma once

#include <QCoreApplication>
#include <QStandardPaths>
#include <QTemporaryDir>

namespace helio::test {

/// Temporary home folder for a window's settings, data and stores, so that the test neither reads nor changes the user's home folder.
/// Requires: the application exists and no window yet.
class OwnHome : public QTemporaryDir {
public:
    OwnHome()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("heliograph-test");
        for (const char* name : {"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"})
            qputenv(name, path().toUtf8());
        qputenv("XDG_DATA_DIRS", filePath("none").toUtf8());
    }
};

} // namespace helio::test
