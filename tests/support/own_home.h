#pragma once

#include <QCoreApplication>
#include <QStandardPaths>
#include <QTemporaryDir>

namespace helio::test {

/// A folder for what a window keeps, settings and stores, as long as its test runs: it neither finds nor leaves any of the person's.
/// Requires: the application; no window yet.
class OwnHome : public QTemporaryDir {
public:
    OwnHome()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("heliograph-test");
        for (const char* name : {"XDG_CACHE_HOME", "XDG_CONFIG_HOME"})
            qputenv(name, path().toUtf8());
    }
};

} // namespace helio::test
