#pragma once

#include "widgets/workspace/view_context.h"

#include <QWidget>

namespace helio {

/// Strip that shows where the search hits are in the trace: a line as long as the trace with a tick for each hit, the current one in the
/// accent colour.
/// Threads: UI thread.
class HitsStrip : public QWidget {
    Q_OBJECT

public:
    explicit HitsStrip(ViewContext& context, QWidget* parent = nullptr);

    QSize sizeHint() const override { return {160, 18}; }

private:
    void paintEvent(QPaintEvent* event) override;

    ViewContext& m_context;
};

} // namespace helio
