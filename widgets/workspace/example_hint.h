#pragma once

#include "widgets/async/debounced_query.h"
#include "widgets/workspace/view_context.h"

namespace helio {

/// Example expression for the open events, as the hint of an input field. Until it is known, and if nothing is open, it is a general
/// example. Ownership: the view with the field. Threads: UI thread.
class ExampleHint {
public:
    /// `show` is called at once and whenever the example changed. Ownership: the context outlives it.
    ExampleHint(ViewContext& context, std::function<void(const QString& example)> show);

private:
    void ask();
    void take(const QString& example);

    ViewContext& m_context;
    std::function<void(const QString&)> m_show;
    QString m_shown;
    DebouncedQuery m_answer;
};

} // namespace helio
