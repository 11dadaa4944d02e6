// Names from the recording, which need no file.

#include "core/symbol/symbolizer.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

class KnownNamesTest : public QObject {
    Q_OBJECT

private slots:
    void aNameIsKnownOnceItsFileWasRead()
    {
        Module module;
        module.kind = Module::Kind::File;
        module.path = SYMBOL_FIXTURES "/shop";
        const auto place = Symbolizer::make()->find(module, "plainFunction");
        QVERIFY(place && place->size > 0);
        const auto symbolizer = Symbolizer::make();

        QCOMPARE(symbolizer->knownName(module, place->begin), std::string());
        symbolizer->resolve(module, 0, false);

        QCOMPARE(symbolizer->knownName(module, place->begin), std::string("plainFunction"));
        QCOMPARE(symbolizer->knownName(module, place->begin + place->size - 1), std::string("plainFunction"));
        QCOMPARE(symbolizer->knownName(module, ~std::uint64_t{0}), std::string());
    }

    void aModuleThatIsNotHereHasNone()
    {
        Module module;
        module.kind = Module::Kind::File;
        module.path = SYMBOL_FIXTURES "/absent";
        const auto symbolizer = Symbolizer::make();
        symbolizer->resolve(module, 0x100, false);

        QCOMPARE(symbolizer->knownName(module, 0x100), std::string());
    }
};

HELIO_TEST(KnownNamesTest)
#include "tst_known_names.moc"
