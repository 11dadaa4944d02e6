#pragma once

#include "widgets/async/shared_query.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace helio {

/// Shows which work is in progress and how far it is: "Finding names, 12 %". Hidden while there is no work and for its first 300 ms, so
/// short work shows nothing.
/// Ownership: belongs to its parent; the work must outlive it.
/// Threads: UI thread.
class WorkLine : public QWidget {
    Q_OBJECT

public:
    explicit WorkLine(const SharedQuery& work, QWidget* parent = nullptr);

    /// Adds a button that stops the work.
    void setStop(std::function<void()> stop);

signals:
    void changed(); ///< Emitted when the text changed or the line was shown or hidden.

private:
    void refresh();

    const SharedQuery& m_work;
    QLabel* m_label;
    QToolButton* m_stop = nullptr;
    QTimer m_timer;
};

/// Returns e.g. "Naming functions, 12 %". A share below 0 is unknown and left out.
QString progressText(const QString& work, double share);

} // namespace helio
