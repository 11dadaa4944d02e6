#pragma once

#include <QObject>
#include <QString>

class QWidget;

namespace helio {

/// Notifies windows that the user wants to record what a page or message says is missing.
/// Threads: UI thread.
class RecordRequests : public QObject {
    Q_OBJECT

public:
    static RecordRequests& instance();

    /// Returns the preset that records what a message says is missing; empty if there is none, or if no window can record.
    static QString presetFor(const QString& message);

    /// Asks the window of `from` to open its dialog with the preset selected.
    void request(const QString& preset, QWidget* from) { emit requested(preset, from); }

    /// Sets whether windows can record. False until a window says so, e.g. in reports and pictures of the command line.
    void setAvailable(bool isAvailable) { m_isAvailable = isAvailable; }

signals:
    void requested(const QString& preset, QWidget* from);

private:
    bool m_isAvailable = false;
};

} // namespace helio
