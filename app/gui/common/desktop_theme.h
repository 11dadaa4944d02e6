#pragma once

#include "widgets/theme/theme.h"

#include <QObject>
#include <QVariant>

class QDBusPendingCallWatcher;
class QDBusVariant;

namespace helio {

/// Tracks whether the desktop is dark: by the portal's color-scheme if there is a portal, else by the lightness of the palette that the
/// program started with. The portal is asked asynchronously; changed() reports the result. Also updates the program's fonts when the
/// desktop's fonts change.
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
