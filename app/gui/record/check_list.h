#pragma once

#include "core/recording/checks.h"

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace helio {

/// List of the checks before a recording. A check that failed opens a card with the value found, the command that mends it, and buttons.
class CheckList : public QWidget {
    Q_OBJECT

public:
    explicit CheckList(QWidget* parent = nullptr);

    /// Shows the results of the checks.
    void setChecks(const std::vector<RecordingCheck>& checks);
    /// Shows a problem instead of checks, e.g. that a host cannot be reached; `problem` is a sentence.
    void setProblem(const QString& problem);
    /// Shows that the machine is being inspected. Keeps the results that are shown.
    void setBusy();

signals:
    void elevationRequested(); ///< Emitted when the user wants root privileges for this recording.
    void checkRequested(); ///< Emitted when the user wants the checks to run again.

private:
    void clear();
    void addRow(const RecordingCheck& check);
    void addCard(const RecordingCheck& check);

    QLabel* m_summary;
    QVBoxLayout* m_rows;
};

} // namespace helio
