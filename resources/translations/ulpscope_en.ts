<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
    <context>
        <name>ulp::app::CloseQuestion</name>
        <message numerus="yes">
            <source>%n comparison(s) of dumps will not be made.</source>
            <translation>
                <numerusform>%n comparison of dumps will not be made.</numerusform>
                <numerusform>%n comparisons of dumps will not be made.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n study(s) in the queue will not be run.</source>
            <translation>
                <numerusform>%n study in the queue will not be run.</numerusform>
                <numerusform>%n studys in the queue will not be run.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n study(s) in the queue will wait for the next start.</source>
            <translation>
                <numerusform>%n study in the queue will wait for the next start.</numerusform>
                <numerusform>%n studys in the queue will wait for the next start.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ulp::app::DumpSidePane</name>
        <message numerus="yes">
            <source>%1, %n unit(s)</source>
            <translation>
                <numerusform>%1, %n unit</numerusform>
                <numerusform>%1, %n units</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ulp::app::ExportDumps</name>
        <message numerus="yes">
            <source>Wrote %1: %n tensor(s), %2.</source>
            <translation>
                <numerusform>Wrote %1: %n tensor, %2.</numerusform>
                <numerusform>Wrote %1: %n tensors, %2.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ulp::app::LastSession</name>
        <message numerus="yes">
            <source>The queue is paused, with %n study(s) of the last session.</source>
            <translation>
                <numerusform>The queue is paused, with %n study of the last session.</numerusform>
                <numerusform>The queue is paused, with %n studys of the last session.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ulp::app::RecordDialog</name>
        <message numerus="yes">
            <source>%n step(s), %1 tensors, %2; %3</source>
            <translation>
                <numerusform>%n step, %1 tensors, %2; %3</numerusform>
                <numerusform>%n steps, %1 tensors, %2; %3</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Recorded %n step(s), %1 tensors, %2: %3</source>
            <translation>
                <numerusform>Recorded %n step, %1 tensors, %2: %3</numerusform>
                <numerusform>Recorded %n steps, %1 tensors, %2: %3</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ulp::app::TokenizeDialog</name>
        <message numerus="yes">
            <source>%1: %n token(s)</source>
            <translation>
                <numerusform>%1: %n token</numerusform>
                <numerusform>%1: %n tokens</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ulp::views::BitByBitView</name>
        <message numerus="yes">
            <source>%1 and %2 are equal: every compared element of %n tensor(s)</source>
            <translation>
                <numerusform>%1 and %2 are equal: every compared element of %n tensor</numerusform>
                <numerusform>%1 and %2 are equal: every compared element of %n tensors</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%1 differs from %2: %3 of %n compared tensor(s) are equal</source>
            <translation>
                <numerusform>%1 differs from %2: %3 of %n compared tensor are equal</numerusform>
                <numerusform>%1 differs from %2: %3 of %n compared tensors are equal</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Of %n tensor(s) only samples were kept and compared.</source>
            <translation>
                <numerusform>Of %n tensor only samples were kept and compared.</numerusform>
                <numerusform>Of %n tensors only samples were kept and compared.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n tensor(s) were kept by one of the runs alone.</source>
            <translation>
                <numerusform>%n tensor was kept by one of the runs alone.</numerusform>
                <numerusform>%n tensors were kept by one of the runs alone.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n tensor(s) have different shapes in the two runs and were not compared; do they have the same input?</source>
            <translation>
                <numerusform>%n tensor has different shapes in the two runs and was not compared; do they have the same input?</numerusform>
                <numerusform>%n tensors have different shapes in the two runs and were not compared; do they have the same input?</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%1: all %n tensor(s) equal</source>
            <translation>
                <numerusform>%1: its %n tensor equal</numerusform>
                <numerusform>%1: all %n tensors equal</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ulp::views::CausePane</name>
        <message numerus="yes">
            <source>Waiting in the queue, %n study(s) before it</source>
            <translation>
                <numerusform>Waiting in the queue, %n study before it</numerusform>
                <numerusform>Waiting in the queue, %n studys before it</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ulp::views::ClusterPane</name>
        <message numerus="yes">
            <source>%n pending</source>
            <translation>
                <numerusform>%n pending</numerusform>
                <numerusform>%n pending</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n running</source>
            <translation>
                <numerusform>%n running</numerusform>
                <numerusform>%n running</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n not submitted</source>
            <translation>
                <numerusform>%n not submitted</numerusform>
                <numerusform>%n not submitted</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n failed</source>
            <translation>
                <numerusform>%n failed</numerusform>
                <numerusform>%n failed</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n done</source>
            <translation>
                <numerusform>%n done</numerusform>
                <numerusform>%n done</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ulp::views::CompareView</name>
        <message numerus="yes">
            <source>Pair %n alike</source>
            <translation>
                <numerusform>Pair %n alike</numerusform>
                <numerusform>Pair %n alike</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ulp::views::DumpComparer</name>
        <message numerus="yes">
            <source>… and %n more note(s).</source>
            <translation>
                <numerusform>… and %n more note.</numerusform>
                <numerusform>… and %n more notes.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n tensor(s) in the baseline alone.</source>
            <translation>
                <numerusform>%n tensor in the baseline alone.</numerusform>
                <numerusform>%n tensors in the baseline alone.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n tensor(s) in the candidate alone.</source>
            <translation>
                <numerusform>%n tensor in the candidate alone.</numerusform>
                <numerusform>%n tensors in the candidate alone.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n tensor(s) of different shapes.</source>
            <translation>
                <numerusform>%n tensor of different shapes.</numerusform>
                <numerusform>%n tensors of different shapes.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>The two dumps are identical: %n tensor(s), every one equal.</source>
            <translation>
                <numerusform>The two dumps are identical: %n tensor, every one equal.</numerusform>
                <numerusform>The two dumps are identical: %n tensors, every one equal.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n tensor(s) hold NaN or infinity, and no call makes it of finite numbers.</source>
            <translation>
                <numerusform>%n tensor holds NaN or infinity, and no call makes it of finite numbers.</numerusform>
                <numerusform>%n tensors hold NaN or infinity, and no call makes it of finite numbers.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n tensor(s)</source>
            <translation>
                <numerusform>%n tensor</numerusform>
                <numerusform>%n tensors</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Read %1 in %n unit(s).</source>
            <translation>
                <numerusform>Read %1 in %n unit.</numerusform>
                <numerusform>Read %1 in %n units.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ulp::views::DumpView</name>
        <message numerus="yes">
            <source>%n tensor(s)</source>
            <translation>
                <numerusform>%n tensor</numerusform>
                <numerusform>%n tensors</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ulp::views::ExportJobs</name>
        <message numerus="yes">
            <source>… and %n more note(s).</source>
            <translation>
                <numerusform>… and %n more note.</numerusform>
                <numerusform>… and %n more notes.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ulp::views::FindingsView</name>
        <message numerus="yes">
            <source>%n tensor(s) hold NaN or infinity, and no call makes it of finite numbers.</source>
            <translation>
                <numerusform>%n tensor holds NaN or infinity, and no call makes it of finite numbers.</numerusform>
                <numerusform>%n tensors hold NaN or infinity, and no call makes it of finite numbers.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ulp::views::FlipChart</name>
        <message numerus="yes">
            <source>Shares of flipped tokens of %n variants.</source>
            <translation>
                <numerusform>Shares of flipped tokens of %n variants.</numerusform>
                <numerusform>Shares of flipped tokens of %n variants.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ulp::views::LogProbabilities</name>
        <message numerus="yes">
            <source>None of %n token(s) is finite both here and in %1.</source>
            <translation>
                <numerusform>None of %n token is finite both here and in %1.</numerusform>
                <numerusform>None of %n tokens is finite both here and in %1.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ulp::views::LogProbabilitiesView</name>
        <message numerus="yes">
            <source>None of %n token(s) is finite both here and in %1.</source>
            <translation>
                <numerusform>None of %n token is finite both here and in %1.</numerusform>
                <numerusform>None of %n tokens is finite both here and in %1.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ulp::views::MappingEditor</name>
        <message numerus="yes">
            <source>Match %n sure suggestion(s)</source>
            <translation>
                <numerusform>Match %n sure suggestion</numerusform>
                <numerusform>Match %n sure suggestions</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ulp::views::MappingHistory</name>
        <message numerus="yes">
            <source>match of %n name(s)</source>
            <translation>
                <numerusform>match of %n name</numerusform>
                <numerusform>match of %n names</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ulp::views::ParallelChart</name>
        <message numerus="yes">
            <source>%n variants over settings and errors (%1).</source>
            <translation>
                <numerusform>%n variants over settings and errors (%1).</numerusform>
                <numerusform>%n variants over settings and errors (%1).</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ulp::views::ReportSet</name>
        <message numerus="yes">
            <source>%n tensor(s) could not be compared: kept by one of two runs only, or in another shape.</source>
            <translation>
                <numerusform>%n tensor could not be compared: kept by one of two runs only, or in another shape.</numerusform>
                <numerusform>%n tensors could not be compared: kept by one of two runs only, or in another shape.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ulp::views::RuleVerdicts</name>
        <message numerus="yes">
            <source>%n warning(s)</source>
            <translation>
                <numerusform>%n warning</numerusform>
                <numerusform>%n warnings</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>fail: %1 of %n tensor(s)</source>
            <translation>
                <numerusform>fail: %1 of %n tensor</numerusform>
                <numerusform>fail: %1 of %n tensors</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>pass: %1 of %n tensor(s)</source>
            <translation>
                <numerusform>pass: %1 of %n tensor</numerusform>
                <numerusform>pass: %1 of %n tensors</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ulp::views::RunLauncher</name>
        <message numerus="yes">
            <source>%n variant(s) failed and would be tried again.</source>
            <translation>
                <numerusform>%n variant failed and would be tried again.</numerusform>
                <numerusform>%n variants failed and would be tried again.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ulp::views::TensorInspector</name>
        <message numerus="yes">
            <source>The %n worst of the report, until every element is read</source>
            <translation>
                <numerusform>The %n worst of the report, until every element is read</numerusform>
                <numerusform>The %n worst of the report, until every element is read</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>The %n worst of all elements</source>
            <translation>
                <numerusform>The %n worst of all elements</numerusform>
                <numerusform>The %n worst of all elements</numerusform>
            </translation>
        </message>
    </context>
</TS>
