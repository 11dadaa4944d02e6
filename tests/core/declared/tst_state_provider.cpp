#include "tests/core/declared/declared_run.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

/// A state provider with these handlers.
std::string provider(const std::string& content)
{
    return "<tmfxml><stateProvider id=\"p\" version=\"1\">" + content + "</stateProvider></tmfxml>";
}

} // namespace

class StateProviderTest : public QObject {
    Q_OBJECT

private slots:
    void aFieldNamesAnAttributeAndAnotherIsItsValue()
    {
        KernelScript s;
        s.event(10, 0, "open", {{"fd", 3}, {"path", "a"}})
            .event(20, 1, "open", {{"fd", 4}, {"path", "b"}})
            .event(30, 0, "close", {{"fd", 3}});
        const DeclaredRun run(provider(R"(
            <location id="file"><stateAttribute type="constant" value="Files"/><stateAttribute type="eventField" value="fd"/></location>
            <eventHandler eventName="open">
              <stateChange>
                <stateAttribute type="location" value="file"/>
                <stateValue type="eventField" value="path"/>
              </stateChange>
              <stateChange>
                <stateAttribute type="constant" value="CPU"/>
                <stateValue type="eventField" value="cpu"/>
              </stateChange>
            </eventHandler>
            <eventHandler eventName="clo*">
              <stateChange>
                <stateAttribute type="location" value="file"/>
                <stateValue type="null"/>
              </stateChange>
            </eventHandler>)"),
                              s);
        QCOMPARE(run.problems(), "");
        QCOMPARE(run.tree(), "CPU: int 0 10-20, int 1 20-30\nFiles\nFiles/3: string a 10-30\nFiles/4: string b 20-30\n");
    }
};

HELIO_TEST(StateProviderTest)

#include "tst_state_provider.moc"
