#pragma once

#include "widgets/async/fresh_answer.h"
#include "widgets/workspace/view_context.h"

namespace helio {

/// An example of what can be asked of the events that are open, for the hint of a field; before it is known, and where nothing is open,
/// the general one. Owned by the view that has the field; UI thread.
class ExampleHint {
public:
    /// `show` is called at once, and whenever the example is another one. The context outlives it.
    ExampleHint(ViewContext& context, std::function<void(const QString& example)> show);

private:
    void ask();
    void take(const QString& example);

    ViewContext& m_context;
    std::function<void(const QString&)> m_show;
    QString m_shown;
    FreshAnswer m_answer;
};

} // namespace helio
