#pragma once

#include "widgets/theme/theme.h"

#include <QObject>
#include <QVariant>

class QDBusPendingCallWatcher;
class QDBusVariant;

namespace helio {

/// Whether the desktop is dark: the portal's color-scheme where there is one, else the lightness of the palette the program started with.
/// Asked in the background; emits changed(). Gives the program the desktop's fonts again when they change.
class DesktopTheme : public QObject {
    Q_OBJECT

public:
    explicit DesktopTheme(QObject* parent = nullptr);

    Theme::Kind kind() const { return m_kind; }

signals:
    void changed();

private slots:
    void settingChanged(const QString& group, const QString& name, const QDBusVariant& value);

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void take(QVariant value);

    Theme::Kind m_kind;
};

} // namespace helio
