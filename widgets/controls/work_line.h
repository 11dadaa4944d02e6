#pragma once

#include "widgets/async/watched_work.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace helio {

/// Which work is under way and how far it is: "Finding names, 12 %". Hidden while there is none, and for the first moment of it: what is
/// done at once shows nothing. Owned by its parent; the work outlives it. UI thread.
class WorkLine : public QWidget {
    Q_OBJECT

public:
    explicit WorkLine(const WatchedWork& work, QWidget* parent = nullptr);

    /// A button that stops it.
    void setStop(std::function<void()> stop);

signals:
    void changed(); ///< What it says, or that it says something at all.

private:
    void refresh();

    const WatchedWork& m_work;
    QLabel* m_label;
    QToolButton* m_stop = nullptr;
    QTimer m_timer;
};

/// "Naming functions, 12 %". A share below 0 is not known.
QString workText(const QString& work, double share);

} // namespace helio
