#pragma once

#include "widgets/profiling/sample_model.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace helio {

/// Notice that a notable share of the shown samples lies in code without names, and in which modules, or that stacks end early, and why. A
/// link leads to the dialog for symbols. Hidden if there is nothing to say, and in all views of the samples once the user closed it.
class MissingSymbolsNotice : public QWidget {
    Q_OBJECT

public:
    explicit MissingSymbolsNotice(ViewContext& context, QWidget* parent = nullptr);

    /// Empty if the share is too small to mention.
    static QString textOf(const MissingSymbols& nameless, std::uint64_t samples, bool ofCalls = false);
    static QString textOf(const TruncatedStacks& ends);

private:
    void refresh();
    void updateLook();

    ViewContext& m_context;
    SampleModel& m_samples;
    QLabel* m_text;
    QToolButton* m_close;
};

} // namespace helio
