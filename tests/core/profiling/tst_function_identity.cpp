// Input: several functions with the same name. Property: the functions are told apart.

#include "core/profiling/samples/call_tree.h"
#include "core/profiling/samples/stack_names.h"
#include "tests/core/profiling/made_stacks.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

SampledFunction functionOf(const std::string& name, const std::string& linkageName, const std::string& unit = {},
                           const std::string& module = "prog")
{
    SampledFunction function;
    function.name = name;
    function.linkageName = linkageName;
    function.unit = unit;
    function.module = module;
    return function;
}

std::vector<std::string> labelsOf(std::vector<SampledFunction> functions)
{
    distinguishNames(functions);
    std::vector<std::string> labels;
    for (const SampledFunction& it : functions)
        labels.push_back(it.label());
    return labels;
}

using Labels = std::vector<std::string>;

} // namespace

class FunctionIdentityTest : public QObject {
    Q_OBJECT

private slots:
    void namesThatDoNotRepeatStayShort()
    {
        QCOMPARE(labelsOf({functionOf("add", "_Z3addi"), functionOf("sub", "_Z3subi"), functionOf("add", "_Z3addi", {}, "other")}),
                 (Labels{"add", "sub", "add"}));
    }

    void overloadsHaveTheirParametersAndClonesTheirMarks()
    {
        QCOMPARE(labelsOf({functionOf("add", "_Z3addi"), functionOf("add", "_Z3addd"), functionOf("add", "_Z3addi.cold")}),
                 (Labels{"add(int)", "add(double)", "add(int) [clone .cold]"}));
    }

    void functionsOfTwoFilesHaveTheirFiles()
    {
        QCOMPARE(labelsOf({functionOf("mix", "mix", "a.c"), functionOf("mix", "mix", "b.c"), functionOf("mix", "mix", "+0x1139")}),
                 (Labels{"mix (a.c)", "mix (b.c)", "mix (+0x1139)"}));
    }

    void whatParametersDoNotTellApartHasItsLinkageName()
    {
        QCOMPARE(labelsOf({functionOf("A::A", "_ZN1AC1Ev"), functionOf("A::A", "_ZN1AC2Ev")}), (Labels{"_ZN1AC1Ev", "_ZN1AC2Ev"}));
    }

    void aFunctionIsFoundWhateverItsLabel()
    {
        std::vector<SampledFunction> all{functionOf("add", "_Z3addi"), functionOf("add", "_Z3addd"), functionOf("mix", "mix", "a.c")};
        distinguishNames(all);
        QCOMPARE(findFunction(all, functionOf("add", "_Z3addd")), std::optional(FunctionId{1}));
        QCOMPARE(findFunction(all, functionOf("mix", "mix", "b.c")), std::nullopt);
    }

    void itIsCalledByAnyOfItsNames()
    {
        std::vector<SampledFunction> all{functionOf("add", "_Z3addi"), functionOf("add", "_Z3addd")};
        distinguishNames(all);
        for (const char* name : {"add", "add(int)", "_Z3addi"})
            QVERIFY(all[0].isCalled(name));
        QVERIFY(!all[0].isCalled("add(double)"));
        QVERIFY(!all[0].isCalled(""));
    }

    /// Property: rows, callers and hidden frames belong to only one of two functions with the same name.
    void callersAreThoseOfTheOneFunction()
    {
        MadeStacks made;
        made.add("main;one;add@prog 3").add("main;two;add@other 5");
        SampledFunction& other = made.names.functions[std::size_t(*findFunction(made.names.functions, functionOf("add", {}, {}, "other")))];
        other.module = "prog";
        other.linkageName = "_Z3addd";
        SampledFunction& first = made.names.functions[std::size_t(*findFunction(made.names.functions, functionOf("add", {})))];
        first.linkageName = "_Z3addi";
        distinguishNames(made.names.functions);
        CallTreeOptions options;
        options.base = CallTreeOptions::Base::None;
        options.shape = CallTreeOptions::Shape::Callers;
        options.identity = functionOf("add", "_Z3addd");
        const CallTree tree = buildCallTree(made.profile, made.names, options);
        QCOMPARE(tree.nodes[0].total.samples, 5u);
        QCOMPARE(tree.functionOf(1).label(), std::string("add(double)"));
        QCOMPARE(tree.functionOf(2).label(), std::string("two"));

        options.identity.reset();
        options.function = "add"; // Selects all functions with this name.
        QCOMPARE(buildCallTree(made.profile, made.names, options).nodes[0].total.samples, 8u);
    }
};

HELIO_TEST(FunctionIdentityTest)
#include "tst_function_identity.moc"
