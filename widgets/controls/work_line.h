#pragma once

#include "widgets/async/shared_query.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace helio {

/// Line that shows work in progress and how much of the work is done, e.g. "Finding names, 12 %". Hidden while there is no work, and for
/// the first 300 ms, so that short work shows nothing.
/// Ownership: owned by its parent; the work must outlive it.
/// Threads: UI thread.
class WorkLine : public QWidget {
    Q_OBJECT

public:
    explicit WorkLine(const SharedQuery& work, QWidget* parent = nullptr);

    /// Adds a button that stops the work by calling `stop`.
    void setStop(std::function<void()> stop);

signals:
    void changed(); ///< Emitted when the text changed, or when the line was shown or hidden.

private:
    void refresh();

    const SharedQuery& m_work;
    QLabel* m_label;
    QToolButton* m_stop = nullptr;
    QTimer m_timer;
};

/// Returns a text for work in progress, e.g. "Naming functions, 12 %". A share below 0 is unknown and omitted.
QString progressText(const QString& work, double share);

} // namespace helio
